import { readCapability } from "../../domain/federation/capability.ts";
import type { GardenPeer } from "../../domain/federation/garden-peer.ts";
import { announcementRefusals } from "../../domain/federation/refusals.ts";
import {
  ANNOUNCE_REF,
  CAPABILITIES_REF,
  capabilityFile,
  PEER_BOOK_REF,
  PEER_REFS,
  peerFile,
  peerRefs,
} from "../../domain/layout.ts";
import type { Repo } from "../../ports/repo.ts";
import type { CheckFinding } from "../insight/verify/check.ts";
import { readKinds } from "../sessions/kind-library.ts";
import { announcedTracking, type CheckedChain, checkedChain, isChainOf } from "./chain-check.ts";
import { listPeers } from "./peer-book.ts";
import { trackedPlaces } from "./ref-classes.ts";

/** The chain of this garden's own announcements. */
export async function* ownChainFindings(repo: Repo): AsyncGenerator<CheckFinding> {
  const tip = await repo.resolve(ANNOUNCE_REF);
  if (tip === undefined) return;
  const checked = await checkedChain(repo, tip);
  if ("broken" in checked) yield { where: ANNOUNCE_REF, what: brokenAt(checked.broken) };
}

/** Files among the grants that are no grants, and among the followed gardens that are none. Neither counts for anything. */
export async function* grantFindings(repo: Repo): AsyncGenerator<CheckFinding> {
  const kinds = await readKinds(repo);
  const grants = await repo.resolve(CAPABILITIES_REF);
  for (const { path } of grants === undefined ? [] : await repo.list(grants, "")) {
    const found = readCapability((await repo.read(grants!, path))?.bytes ?? new Uint8Array(), kinds);
    if (found && capabilityFile(found.id) === path) continue;
    yield {
      where: `${CAPABILITIES_REF}:${path}`,
      what: {
        en: "this file is no grant, or not under the id of its content, so it allows nothing: remove it with git, or grant again with `bloom peer grant`",
        uk: "цей файл — не дозвіл або лежить не під ідентифікатором свого вмісту, тож нічого не дозволяє: приберіть його за допомогою git або дозвольте знову через `bloom peer grant`",
      },
    };
  }
  const book = await repo.resolve(PEER_BOOK_REF);
  const known = new Set((await listPeers(repo)).map(({ name }) => peerFile(name)));
  for (const { path } of book === undefined ? [] : await repo.list(book, "")) {
    if (known.has(path)) continue;
    yield {
      where: `${PEER_BOOK_REF}:${path}`,
      what: {
        en: "this file names no garden that can be followed: remove it with git, then `bloom peer add`",
        uk: "цей файл не називає саду, за яким можна стежити: приберіть його за допомогою git, тоді `bloom peer add`",
      },
    };
  }
}

/** Refs of followed gardens: each is named by the accepted announcement, whose chain verifies against the known keys. */
export async function* trackingFindings(repo: Repo): AsyncGenerator<CheckFinding> {
  const peers = await listPeers(repo);
  for (const peer of peers) yield* peerFindings(repo, peer);
  const names = new Set(peers.map(({ name }) => name));
  for (const { name: where } of await repo.refs(PEER_REFS)) {
    const [name] = where.slice(PEER_REFS.length).split("/");
    if (!names.has(name!))
      yield {
        where,
        what: {
          en: `this garden follows no garden named ${name}: delete the ref with \`git update-ref -d\``,
          uk: `цей сад не стежить за садом на ім'я ${name}: вилучіть посилання командою \`git update-ref -d\``,
        },
      };
  }
}

async function* peerFindings(repo: Repo, peer: GardenPeer): AsyncGenerator<CheckFinding> {
  const { announce } = peerRefs(peer.name);
  const tip = await repo.resolve(announce);
  const checked = tip === undefined ? undefined : await checkedChain(repo, tip);
  if (checked && "broken" in checked) {
    yield { where: announce, what: brokenAt(checked.broken) };
    return; // What it announces says nothing then.
  }
  if (checked && !isChainOf(peer, checked.chain)) {
    yield {
      where: announce,
      what: {
        en: `the keys of this chain are not those known of ${peer.name}: \`bloom peer remove ${peer.name}\`, compare the fingerprint with its owner, and follow it again`,
        uk: `ключі цього ланцюга — не ті, що відомі для ${peer.name}: \`bloom peer remove ${peer.name}\`, звірте відбиток із власником і почніть стежити знову`,
      },
    };
    return;
  }
  const expected = announcedTracking(peer, checked?.announcement);
  for (const place of trackedPlaces(peer.name))
    for (const { name, oid } of await repo.refs(place)) {
      if (expected.get(name) !== oid) yield { where: name, what: notAnnounced(peer.name) };
      expected.delete(name);
    }
  for (const where of expected.keys()) yield { where, what: lostRef(peer.name) };
}

const notAnnounced = (peer: string): CheckFinding["what"] => ({
  en: `the accepted announcement of ${peer} does not name this commit here; ${again(peer).en}`,
  uk: `прийняте оголошення ${peer} не називає тут цього коміту; ${again(peer).uk}`,
});
const lostRef = (peer: string): CheckFinding["what"] => ({
  en: `the accepted announcement of ${peer} names this ref, but it is not here: \`bloom peer accept ${peer}\` takes it again`,
  uk: `прийняте оголошення ${peer} називає це посилання, але його тут немає: \`bloom peer accept ${peer}\` візьме його знову`,
});
const again = (peer: string): CheckFinding["what"] => ({
  en: `\`bloom peer remove ${peer}\`, then follow it again`,
  uk: `\`bloom peer remove ${peer}\`, тоді почніть стежити знову`,
});

type BrokenChain = Extract<CheckedChain, { broken: unknown }>["broken"];

const brokenAt = ({ at, why }: BrokenChain): CheckFinding["what"] => ({
  en: `the chain of announcements is broken at ${at.slice(0, 10)}. ${announcementRefusals[why].en}`,
  uk: `ланцюг оголошень порушено на ${at.slice(0, 10)}. ${announcementRefusals[why].uk}`,
});
