const MAX_LENGTH = 500;
/** Schemes that a browser would run or show itself. */
const ACTIVE = new Set(["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "ws:", "wss:", "ftp:"]);
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * The reason why an address may not receive a code; undefined if it may: HTTPS, HTTP on this machine, or the scheme of a native program
 * (RFC 8252), which only that program opens.
 */
export function redirectProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH || !URL.canParse(uri)) return "not an address";
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash !== "" || uri.includes("#")) return "has a fragment";
  if (username !== "" || password !== "") return "has a password";
  if (ACTIVE.has(protocol)) return "of a scheme that a browser runs";
  if (protocol === "http:" && !LOOPBACK.has(hostname)) return "HTTP only on this machine; use HTTPS";
  return undefined;
}

/** The same address; on this machine any port, because native programs take a free one each time (RFC 8252 §7.3). */
export function isSameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true;
  if (redirectProblem(given) !== undefined) return false;
  const [one, other] = [new URL(registered), new URL(given)];
  const isLocal = one.protocol === "http:" && LOOPBACK.has(one.hostname);
  one.port = "";
  other.port = "";
  return isLocal && one.href === other.href;
}
