/** The web as a host sees it: documents from public addresses, and nothing of the machine's own network. */

/** Failures are a `TauError` of code `network`. */
export interface Web {
  /**
   * One GET, without cookies or credentials. A few redirects are followed. Every address is checked before a connection
   * is made to it, and private ones are refused.
   */
  get(url: string, request: WebRequest): Promise<WebResponse>;
  /** One POST of a text to an address that the user chose. No redirect is followed; addresses are checked the same. */
  post(url: string, request: WebPost): Promise<{ status: number; body: Buffer; cut: boolean }>;
}

interface WebPost extends Omit<WebRequest, 'mayConnect'> {
  body: string;
  headers: Readonly<Record<string, string>>;
  /** The user wrote the address: one that names this machine, or a private host that the settings allow, is meant. */
  own: boolean;
}

export interface WebRequest {
  signal: AbortSignal;
  /** Of the body, after its compression is undone. What is more is left out, and the response says so. */
  maxBytes: number;
  /** For all of it, redirects included. */
  timeoutMs: number;
  /** Whether a redirect to another host may be followed. Absent: none is. */
  mayConnect?(host: string): boolean;
}

export type WebResponse =
  /** `url` is where the redirects led. */
  | { kind: 'document'; url: string; status: number; contentType: string; body: Buffer; cut: boolean }
  /** A redirect that was not followed. */
  | { kind: 'elsewhere'; url: string; status: number; location: string };
