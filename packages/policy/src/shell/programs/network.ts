/** Programs whose work is on other machines. They are never known whole; what they would destroy there is a danger. */
import type { Effect } from '@tau/core';
import type { Finding, Invocation, Judge, Word } from '../invocation.ts';
import { databaseDanger } from './code.ts';
import { alwaysDangerous, anywhere, forEach, risky } from './danger.ts';
import { defined, reads, writes } from './findings.ts';
import { connects, hostOf, remoteHost } from './hosts.ts';
import { gives, operandsOf, valuesGiven } from './loose.ts';

const talks = 'it talks to other machines';
const destroys = 'it deletes what is kept or runs elsewhere';
const runsOption = 'it runs a program that an option names';

export const networkPrograms: ReadonlyMap<string, Judge> = new Map([
  ...forEach('http https xh curlie', ({ words }) => risky('network', talks, undefined, webHosts(words))),
  ...forEach('ssh mosh autossh sftp', ssh),
  ['scp', copy],
  ['rsync', rsync],
  ...forEach('nc ncat netcat socat telnet ftp lftp tftp', raw),
  ...forEach('dig host nslookup drill whois ping ping6 traceroute tracepath mtr nmap', lookup),
  ...forEach('aws gcloud az kubectl oc helm terraform tofu pulumi heroku fly flyctl vercel netlify wrangler', cloud),
  ...forEach('firebase supabase doctl gsutil s3cmd rclone eksctl cdk sls serverless railway render', cloud),
  ...forEach('psql mysql mariadb mongosh mongo cqlsh clickhouse-client sqlcmd', database),
  ['redis-cli', redis],
  ...alwaysDangerous('dropdb dropuser', 'it deletes a database or its users', 'network'),
  ...forEach('docker podman nerdctl', container),
  ...forEach('docker-compose podman-compose', (invocation) => compose(invocation.words.slice(1))),
]);

function webHosts(words: readonly Word[]): Effect[] {
  return connects(operandsOf(words.slice(1)).flatMap((word) => (word?.includes('://') ? [hostOf(word)] : [])));
}

const sshValues = '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w';

function ssh({ words: [name, ...words] }: Invocation): Finding {
  const [target] = operandsOf(words, sshValues);
  const plain = /^(?:[\w.-]+@)?([A-Za-z0-9][A-Za-z0-9.-]*)$/.exec(target ?? '')?.[1];
  const host = target?.includes('://') ? hostOf(target) : (plain ?? remoteHost(target ?? ''));
  // What stands after the host is for the other side.
  const end = target === undefined ? words.length : words.indexOf(target);
  const own = words.slice(0, end);
  const starts = name === 'sftp' && own.some((word) => /^-[SD]/.test(word ?? ''));
  return risky('network', talks, starts ? runsOption : sshDanger(own), connects([host]));
}

/** Settings that start a program on this machine. */
function sshDanger(words: readonly Word[]): string | undefined {
  const starts = /proxycommand|localcommand|knownhostscommand|pkcs11provider/i;
  const runs = words.some((word) => word !== undefined && (starts.test(word) || /^-[FI]/.test(word)));
  return runs ? runsOption : undefined;
}

/** The last operand is where it goes, the others are what goes there. */
function copy({ words: [, ...words] }: Invocation): Finding {
  const operands = operandsOf(words, '-c -D -F -i -J -l -o -P -S -X');
  const danger = words.some((word) => /^-[SD]/.test(word ?? '')) ? runsOption : sshDanger(words);
  return risky('network', talks, danger, [...connects(hostsIn(operands)), ...localFiles(operands)]);
}

function hostsIn(operands: readonly Word[]): (string | undefined)[] {
  return operands.flatMap((word) => (word === undefined || isRemote(word) ? [hostOf(word)] : []));
}

function isRemote(word: string): boolean {
  return word.includes('://') || remoteHost(word) !== undefined || /^[^/]*:/.test(word);
}

function localFiles(operands: readonly Word[], removes?: 'tree'): Effect[] {
  const local = (words: readonly Word[]) => words.filter((word) => word !== undefined && !isRemote(word));
  return [...defined(reads(local(operands.slice(0, -1)))), ...defined(writes(local(operands.slice(-1)), removes))];
}

function rsync({ words: [, ...words] }: Invocation): Finding {
  const operands = operandsOf(
    words,
    '-e --rsh --exclude --include --filter -f --rsync-path --exclude-from --files-from -T',
  );
  const hosts = hostsIn(operands);
  const deletes = words.some((word) => /^--(del|delete)/.test(word ?? ''));
  const effects = [...(hosts.length > 0 ? connects(hosts) : []), ...localFiles(operands, deletes ? 'tree' : undefined)];
  const away = hosts.length > 0 && deletes ? destroys : undefined;
  // `-e` says how to get there: ssh, or any command line.
  const ways = valuesGiven(words, 'e', 'rsh').filter((way) => way !== undefined);
  const runs = ways.some((way) => !/^ssh( |$)/.test(way)) ? runsOption : sshDanger(ways);
  return risky(hosts.length > 0 ? 'network' : 'write', 'it copies whole trees', runs ?? away, effects);
}

function raw({ words: [name, ...words] }: Invocation): Finding {
  const runs =
    (/^(nc|ncat|netcat)$/.test(name ?? '') && gives(words, 'e', 'c', 'exec', 'sh-exec', 'lua-exec')) ||
    words.some((word) => /(^|,|:)(exec|system|shell):/i.test(word ?? ''));
  return risky('network', talks, runs ? 'it lets another machine steer a program here' : undefined, [anywhere]);
}

function lookup({ words: [, ...words] }: Invocation): Finding {
  const hosts = operandsOf(words, '-c -i -w -W -t -p -s -m').filter(
    (word) => word !== undefined && /^[\w-]+(\.[\w-]+)+$/.test(word),
  );
  return risky('network', talks, undefined, connects(hosts));
}

const destroying =
  /^(delete|destroy|terminate|remove|purge|drain|uninstall|nuke|deprovision|rm|rb|del|drop|undeploy|teardown|prune)([-:].*)?$/;

function cloud({ words: [name, ...words] }: Invocation): Finding {
  const operands = operandsOf(words, '-n --namespace --profile --region --project --context -f -o --output');
  const harsh = operands.some(
    (word) => word !== undefined && (destroying.test(word) || /:(destroy|delete|reset|remove)$/.test(word)),
  );
  const unasked =
    /^(terraform|tofu|pulumi)$/.test(name ?? '') &&
    words.some((word) => /^--?(auto-approve|yes)$|^-y$/.test(word ?? ''));
  const syncs = (name === 'rclone' && operands[0] === 'sync') || (operands.includes('sync') && gives(words, 'delete'));
  return risky('network', talks, harsh || unasked || syncs ? destroys : undefined, [anywhere]);
}

function database({ words }: Invocation): Finding {
  return risky('network', 'it can change a database', databaseDanger(words), [anywhere]);
}

function redis({ words }: Invocation): Finding {
  const wipes = words.some((word) => /^(flushall|flushdb|shutdown)$/i.test(word ?? ''));
  return risky('network', 'it can change a database', wipes ? 'it deletes data from a database' : undefined, [
    anywhere,
  ]);
}

const losesVolumes = 'it removes containers or volumes with the data in them';
const unlooked = 'what runs in a container nobody has looked at';
/** An image that is not here is fetched first. */
const mayFetch = /^(run|create|build|up|pull)$/;

function container({ words: [, ...words] }: Invocation): Finding {
  const [topic, verb] = operandsOf(words, '-H --host --context -c --config -l --log-level');
  if (topic === 'compose') return compose(words);
  if (/^(pull|push|login|logout|search)$/.test(topic ?? '')) return risky('network', talks, undefined, [anywhere]);
  const wipes = verb === 'prune' || (topic === 'volume' && /^(rm|remove)$/.test(verb ?? ''));
  const act = (topic === 'container' || topic === 'image' || topic === 'buildx' ? verb : topic) ?? '';
  const opens = /^(run|create|exec)$/.test(act) && opensMachine(words);
  const danger = wipes ? losesVolumes : opens ? 'it gives a container the whole machine' : undefined;
  return risky('unknown', unlooked, danger, mayFetch.test(act) ? [anywhere] : []);
}

function compose(words: readonly Word[]): Finding {
  const wipes = (words.includes('down') || words.includes('rm')) && gives(words, 'v', 'volumes');
  const fetches = words.some((word) => mayFetch.test(word ?? ''));
  return risky('unknown', unlooked, wipes ? losesVolumes : undefined, fetches ? [anywhere] : []);
}

/** Rights, processes and folders of the machine itself. */
function opensMachine(words: readonly Word[]): boolean {
  const opening =
    /^--privileged$|^--(pid|userns)=host$|^(--volume=|-v=?)?\/:|^(--mount=)?.*(source|src)=\/(,|$)|docker\.sock/;
  return words.some((word, at) => {
    if (word === '--pid' || word === '--userns') return words[at + 1] === 'host';
    return word !== undefined && opening.test(word);
  });
}
