/**
 * The environment that leads programs to the proxy. Most read the first variables; the others are for tools whose own
 * configuration would win over those, or that read nothing else.
 */

/** Reached directly: what runs in the sandbox's own network. */
const direct = ['localhost', '127.0.0.1', '::1'];

export interface ProxyAddress {
  port: number;
  /** `user:password` */
  credentials: string;
  /** Names of loopback that mean the machine, and lead to the proxy like any other host. */
  machine?: readonly string[];
}

/** `given`: the environment that the command has otherwise; options of Java that stand there already stay. */
export function proxyEnvironment(address: ProxyAddress, given: NodeJS.ProcessEnv): Record<string, string> {
  const { port, credentials, machine = [] } = address;
  const url = `http://${credentials}@127.0.0.1:${port}`;
  const own = direct.filter((name) => !machine.includes(name));
  const except = own.join(',');
  const java = javaProperties(port, own);
  return {
    ...bothCases('http_proxy', url),
    ...bothCases('https_proxy', url),
    // Not SOCKS: some HTTP libraries refuse to start when this names a protocol they have no module for.
    ...bothCases('all_proxy', url),
    ...bothCases('no_proxy', except),
    SOCKS_PROXY: `socks5h://${credentials}@127.0.0.1:${port}`,
    npm_config_proxy: url,
    npm_config_https_proxy: url,
    npm_config_noproxy: except,
    YARN_HTTP_PROXY: url,
    YARN_HTTPS_PROXY: url,
    PIP_PROXY: url,
    CARGO_HTTP_PROXY: url,
    // As `git -c` would: beside the numbered settings, which are others' to count.
    GIT_CONFIG_PARAMETERS: `'http.proxy=${url}'`,
    GIT_HTTP_PROXY_AUTHMETHOD: 'basic',
    // Where Node knows it, `fetch` and `http` then use the variables above.
    NODE_USE_ENV_PROXY: '1',
    // Java has no way to say a token; it is let through while its command is the only one.
    MAVEN_OPTS: joined(given.MAVEN_OPTS, java),
    GRADLE_OPTS: joined(given.GRADLE_OPTS, java),
  };
}

function bothCases(lower: string, value: string): Record<string, string> {
  return { [lower]: value, [lower.toUpperCase()]: value };
}

function joined(before: string | undefined, added: string): string {
  return before?.trim() ? `${before} ${added}` : added;
}

const javaNames: Readonly<Record<string, string>> = { '127.0.0.1': '127.*', '::1': '[::1]' };

function javaProperties(port: number, own: readonly string[]): string {
  const schemes = ['http', 'https'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=127.0.0.1`,
    `-D${scheme}.proxyPort=${port}`,
  ]);
  return [...schemes, `-Dhttp.nonProxyHosts=${own.map((name) => javaNames[name] ?? name).join('|')}`].join(' ');
}
