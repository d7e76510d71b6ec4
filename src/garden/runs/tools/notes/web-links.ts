import type { Json } from "../../../../base/canonical.ts";
import { isFailure } from "../../../../base/failure.ts";
import { isInFolder } from "../../../../domain/note/note-name.ts";
import { type WebLink, webLinksIn } from "../../../../domain/note/web-links.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import type { Egress } from "../../../../ports/egress.ts";
import { readNoteText } from "../../../agents/search/note-text.ts";
import { folderField, limitField } from "../input-fields.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import { folderPath, notesForAgent, slugOfNote } from "./note-names.ts";

const MOST_ADDRESSES = 100;
const AT_ONCE = 8;
const ADDRESS_LIMIT_MS = 8000;
const LIMIT_MS = 110_000;

/** `gone`: the server says that the page does not exist; `failing`: it answers with an error; `not-allowed`: not in `egress`. */
type AddressState = "ok" | "gone" | "failing" | "unreachable" | "not-allowed";

interface FoundLink extends WebLink {
  readonly path: string;
}

/**
 * Links of notes to the web, each address requested once, through the garden's egress only: an address whose host is not on the
 * allow-list is reported as such, and nothing is sent.
 */
export const webLinksTool = gardenTool({
  name: "web-links",
  description: {
    en: "Check the links of notes to the web: slug, path, line, url, host; state is ok, gone, failing, unreachable or not-allowed (the host is not in egress of the garden's settings); status is the server's answer.",
    uk: "Перевір посилання нотаток на вебсторінки: slug, path, line, url, host; state — ok, gone, failing, unreachable або not-allowed (вузла немає в egress налаштувань саду); status — відповідь сервера.",
  },
  input: group({ folder: folderField.nullish(), limit: limitField.nullish() }),
  idempotent: true,
  limitMs: LIMIT_MS,
  async call({ folder, limit }, context, { signal }) {
    const { garden, egress } = context;
    const { notes_root: root } = garden.config;
    const links = await linksOf(context, folder ?? undefined, limit ?? MOST_ADDRESSES);
    const states = new Map<string, AddressAnswer>();
    const waiting = [...new Set(links.map(({ url }) => url))];
    const work = async (): Promise<void> => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift())
        states.set(url, egress ? await ask(egress, url, signal) : { state: "not-allowed", status: null });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    signal.throwIfAborted();
    return links.map(({ path, line, url }): Json => {
      const { state, status } = states.get(url)!;
      return { slug: slugOfNote(path, root), path, line, url, host: new URL(url).host, state, status };
    });
  },
});

async function linksOf(context: ToolContext, folder: string | undefined, most: number): Promise<FoundLink[]> {
  const { garden, commit } = context;
  const within = folder === undefined ? undefined : folderPath(folder, garden.config.notes_root);
  const links: FoundLink[] = [];
  const addresses = new Set<string>();
  for (const { path } of await notesForAgent(context)) {
    if (within !== undefined && !isInFolder(path, within)) continue;
    for (const link of webLinksIn(await readNoteText(garden.repo, commit, path))) {
      if (!addresses.has(link.url) && addresses.size >= most) continue;
      addresses.add(link.url);
      links.push({ ...link, path });
    }
  }
  return links;
}

interface AddressAnswer {
  readonly state: AddressState;
  readonly status: number | null;
}

/** Asks for the head of a page; a server that knows only GET is asked so, and its page is not read. */
async function ask(egress: Egress, url: string, signal: AbortSignal): Promise<AddressAnswer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ADDRESS_LIMIT_MS)]);
  try {
    for (const method of ["HEAD", "GET"]) {
      const response = await egress.fetch(url, { method, signal: limited });
      await response.body?.cancel();
      if (method === "GET" || (response.status !== 405 && response.status !== 501)) return answerOf(response.status);
    }
  } catch (error) {
    if (isFailure(error, "FORBIDDEN")) return { state: "not-allowed", status: null };
  }
  return { state: "unreachable", status: null };
}

function answerOf(status: number): AddressAnswer {
  if (status === 404 || status === 410) return { state: "gone", status };
  // A page that asks for a sign-in, or refuses robots, exists.
  const exists = status < 400 || status === 401 || status === 403 || status === 429;
  return { state: exists ? "ok" : "failing", status };
}
