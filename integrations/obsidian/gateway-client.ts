/**
 * Reads a garden's gateway. Nothing here imports Obsidian, so that the same code runs in tests against a real gateway. It reads only: the
 * plugin has no request that decides, proposes or changes anything.
 */
export interface GatewaySettings {
  /** `http://127.0.0.1:7777`: the address that `bloom up` prints. */
  readonly address: string;
  readonly token: string;
  /** Folder of the vault inside the garden, such as `notes`; empty if the vault is the garden. */
  readonly folder: string;
}

export type SendRequest = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface WaitingProposal {
  readonly id: string;
  readonly title: string;
  readonly who: string;
  readonly target: string;
  readonly expires: string;
}

/** The origin of one line of a note on main. */
export interface LineOrigin {
  readonly author: string;
  readonly at: string;
  readonly subject: string;
  readonly commit: string;
  readonly proposal?: string;
  readonly run?: string;
}

export type LineAnswer =
  | { readonly kind: "origin"; readonly origin: LineOrigin; readonly line: number }
  /** The line was changed in the editor and is not in the garden's history yet. */
  | { readonly kind: "uncommitted" }
  | { readonly kind: "unknown" };

/** The reason why this address must not get the token; undefined if it may. */
export function addressProblem(address: string): "address" | "plain-http" | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return "address";
  }
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return "address";
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname) ? undefined : "plain-http";
}

export class GatewayProblem extends Error {
  readonly kind: "address" | "plain-http" | "token" | "away" | "answer";
  constructor(kind: GatewayProblem["kind"]) {
    super(kind);
    this.kind = kind;
  }
}

/** Number of proposals that are shown; more are counted by the browser. */
export const MOST_SHOWN = 100;

export async function waitingProposals(
  settings: GatewaySettings,
  send: SendRequest,
): Promise<{ readonly proposals: readonly WaitingProposal[]; readonly isMore: boolean }> {
  const answer = await get(settings, `/proposals/pending?limit=${MOST_SHOWN}`, send);
  const proposals = listIn(answer, "proposals").map(
    (card): WaitingProposal => ({
      id: textIn(card, "id"),
      title: textIn(card, "summary") || textIn(card, "target"),
      who: textIn(fieldIn(card, "source"), "identity"),
      target: textIn(card, "target"),
      expires: textIn(card, "expires_at"),
    }),
  );
  return { proposals, isMore: typeof fieldIn(answer, "next") === "string" };
}

/** Who changed a line of the open note. `text` is the note as it is in the editor, `line` counts from 1. */
export async function lineOrigin(
  settings: GatewaySettings,
  send: SendRequest,
  note: { readonly path: string; readonly text: string; readonly line: number },
): Promise<LineAnswer> {
  const path = gardenPath(settings, note.path).split("/").map(encodeURIComponent).join("/");
  const found = await get(settings, `/notes/${path}`, send, true);
  if (found === undefined) return { kind: "unknown" };
  const line = committedLine(note.text, textIn(found, "text"), note.line);
  if (line === undefined) return { kind: "uncommitted" };
  const [part] = listIn(await get(settings, `/lines/${path}?first=${line}&limit=1`, send), "parts");
  if (part === undefined) return { kind: "unknown" };
  const [proposal, run] = [textIn(part, "proposal"), textIn(part, "run")];
  const origin = {
    author: textIn(part, "agent") || textIn(part, "author"),
    at: textIn(part, "at"),
    subject: textIn(part, "subject"),
    commit: textIn(part, "commit"),
    ...(proposal !== "" && { proposal }),
    ...(run !== "" && { run }),
  };
  return { kind: "origin", origin, line };
}

/** The line of the committed text that a line of the editor is; undefined if it is between the first and the last difference. */
export function committedLine(edited: string, committed: string, line: number): number | undefined {
  const [now, before] = [edited.split(/\r?\n/), committed.split(/\r?\n/)];
  let same = 0;
  while (same < now.length && same < before.length && now[same] === before[same]) same++;
  if (line <= same) return line;
  const moved = before.length - now.length;
  let end = 0;
  const most = Math.min(now.length, before.length) - same;
  while (end < most && now[now.length - 1 - end] === before[before.length - 1 - end]) end++;
  return line > now.length - end ? line + moved : undefined;
}

export const gardenPath = ({ folder }: Pick<GatewaySettings, "folder">, path: string): string => {
  const inside = folder.replaceAll(/^\/+|\/+$/g, "");
  return inside === "" || inside === "." ? path : `${inside}/${path}`;
};

const page = ({ address }: Pick<GatewaySettings, "address">, path: string): string =>
  `${address.replace(/\/+$/, "")}/app${path}`;

/** Pages of the browser, where the owner decides. */
export const reviewPage = (settings: GatewaySettings, proposal?: string): string =>
  page(settings, proposal === undefined ? "/proposals" : `/proposals/${encodeURIComponent(proposal)}`);
export const whyPage = (settings: GatewaySettings, path: string, line: number): string =>
  page(settings, `/why?subject=${encodeURIComponent(`${gardenPath(settings, path)}:${line}`)}`);

/** The parsed answer; undefined for a missing thing if that is allowed. */
async function get(
  { address, token }: GatewaySettings,
  path: string,
  send: SendRequest,
  mayMiss = false,
): Promise<unknown> {
  const problem = addressProblem(address);
  if (problem) throw new GatewayProblem(problem);
  let answer: Awaited<ReturnType<SendRequest>>;
  try {
    answer = await send(`${address.replace(/\/+$/, "")}${path}`, {
      Authorization: `Bearer ${token}`,
      Accept: "application/json",
    });
  } catch {
    throw new GatewayProblem("away");
  }
  if (answer.status === 404 && mayMiss) return undefined;
  if (answer.status === 401 || answer.status === 403) throw new GatewayProblem("token");
  if (answer.status !== 200) throw new GatewayProblem("answer");
  try {
    return JSON.parse(answer.text) as unknown;
  } catch {
    throw new GatewayProblem("answer");
  }
}

const fieldIn = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
const textIn = (value: unknown, name: string): string => {
  const field = fieldIn(value, name);
  return typeof field === "string" ? field : "";
};
const listIn = (value: unknown, name: string): readonly unknown[] => {
  const field = fieldIn(value, name);
  return Array.isArray(field) ? field : [];
};
