import { didYouMean } from "../../base/did-you-mean.ts";
import { Failure } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import type { GardenConfig } from "../../domain/config/garden-config.ts";
import { AUTHORITY_REFS, MAIN_BRANCH, MAIN_REF, TRACE_REF, tree } from "../../domain/layout.ts";
import type { Conflict, Fetched, Remote } from "../../ports/repo.ts";
import { type Garden, personSignature } from "../core/garden.ts";
import { gitBusy } from "../core/git-busy.ts";
import { PUBLIC_SPACE } from "../federation/public-space.ts";
import type { PublishPlace } from "../federation/publish.ts";

export type PulledMain =
  | { readonly kind: "up-to-date" }
  | { readonly kind: "pulled"; readonly head: string; readonly merged: boolean };

/** The name of the remote that every machine pushes to (`repo.remote`). */
export const SHARED_REMOTE = "repo";

/** Fetches from a remote. Nothing in this garden changes, except that main follows the remote of `repo`. */
export async function fetchRemote({ repo, config }: Garden, remote: Remote): Promise<Fetched> {
  if (!isShared(config, remote)) return repo.fetch(remote);
  await repo.refresh();
  return { refs: await repo.refs(AUTHORITY_REFS) };
}

const isShared = ({ repo }: GardenConfig, { url }: Remote): boolean => repo !== undefined && repo.remote === url;

/** Merges the main branch of a remote into main. Throws, with nothing changed, for conflicts and uncommitted edits. */
export async function pullRemote(garden: Garden, remote: Remote): Promise<PulledMain> {
  if (isShared(garden.config, remote)) throw followedAnyway(remote);
  const pulled = await garden.repo.pull(remote, MAIN_BRANCH, await personSignature(garden));
  switch (pulled.kind) {
    case "up-to-date":
    case "pulled":
      return pulled;
    case "conflict":
      throw new Failure("CONCURRENT_MODIFICATION", {
        ...conflictText(pulled.conflicts),
        hint: {
          en: "Nothing was changed. Merge by hand with git, or agree with the other side.",
          uk: "Нічого не змінено. Злийте вручну через git або домовтеся з іншою стороною.",
        },
        details: { conflicts: pulled.conflicts },
      });
    case "edited":
      throw new Failure("CONCURRENT_MODIFICATION", {
        en: `uncommitted changes: ${pulled.paths.join(", ")}`,
        uk: `тут не закомічено: ${pulled.paths.join(", ")}`,
        hint: {
          en: "Commit these edits first. Nothing was changed.",
          uk: "Спершу закомітьте ці зміни. Нічого не змінено.",
        },
      });
    case "busy":
      throw gitBusy(pulled.why);
  }
}

/** Pushes main and the traces. Returns the refs. */
export async function pushRemote({ repo, config }: Garden, remote: Remote): Promise<readonly string[]> {
  if (isShared(config, remote)) throw followedAnyway(remote);
  const refs = [MAIN_REF, ...((await repo.resolve(TRACE_REF)) ? [TRACE_REF] : [])];
  const pushed = await repo.push(remote, refs);
  if (pushed.kind === "pushed") return refs;
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `${remote.name} has commits that this garden does not have`,
    uk: `у ${remote.name} є те, чого немає в цьому саду`,
    hint: { en: "Run `bloom pull` first.", uk: "Спершу виконайте `bloom pull`." },
    details: { refs: pushed.refs },
  });
}

/** The remote with this name; without a name, that of `repo`, the only one or `origin`. */
export function chooseRemote({ config }: Pick<Garden, "config">, asked: string | undefined): Remote {
  if (config.repo && (asked ?? SHARED_REMOTE) === SHARED_REMOTE)
    return { name: SHARED_REMOTE, url: config.repo.remote };
  const names = Object.keys(config.remotes);
  const name = asked ?? (names.length === 1 ? names[0]! : "origin");
  const found = Object.hasOwn(config.remotes, name) ? config.remotes[name] : undefined;
  if (found) return { name, url: found.url };
  const meant = didYouMean(name, names);
  throw new Failure("NOT_FOUND", {
    en: `no remote ${name} in ${tree.config}`,
    uk: `у ${tree.config} немає віддаленого репозиторію ${name}`,
    hint:
      meant === undefined
        ? { en: `Add it: remotes: { ${name}: { url: … } }`, uk: `Додайте його: remotes: { ${name}: { url: … } }` }
        : { en: `Did you mean ${meant}?`, uk: `Можливо, ${meant}?` },
  });
}

/** The place to publish to with this name; without a name the garden's own public space, if it is the only one. */
export function choosePublishPlace(garden: Pick<Garden, "config">, asked: string | undefined): PublishPlace {
  const { federation, remotes } = garden.config;
  if (asked === PUBLIC_SPACE && !federation.public && !Object.hasOwn(remotes, PUBLIC_SPACE)) throw publicSpaceOff();
  const isOwn =
    federation.public && (asked === PUBLIC_SPACE || (asked === undefined && Object.keys(remotes).length === 0));
  return isOwn ? "public-space" : chooseRemote(garden, asked);
}

const publicSpaceOff = (): Failure =>
  new Failure("NOT_FOUND", {
    en: `this garden serves no public space, and ${tree.config} has no remote named ${PUBLIC_SPACE}`,
    uk: `цей сад не має публічного простору, і в ${tree.config} немає віддаленого репозиторію ${PUBLIC_SPACE}`,
    hint: {
      en: "Serve it from here: federation: { public: true }; or name a repository of another host: remotes: { public: { url: … } }",
      uk: "Віддавайте його звідси: federation: { public: true }; або вкажіть інший репозиторій: remotes: { public: { url: … } }",
    },
  });

const followedAnyway = ({ name }: Remote): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `${name} is the remote that this garden follows: every change is pushed there, and its changes come by themselves`,
    uk: `${name} — віддалений репозиторій, за яким іде цей сад: кожну зміну туди надсилають одразу, а його зміни приходять самі`,
    hint: {
      en: `\`bloom fetch ${SHARED_REMOTE}\` looks at it now; \`bloom status\` tells its state.`,
      uk: `\`bloom fetch ${SHARED_REMOTE}\` перевірить його зараз; стан покаже \`bloom status\`.`,
    },
  });

const conflictText = (conflicts: readonly Conflict[]): Text =>
  joined(
    [
      { en: "merge conflicts:", uk: "обидві сторони змінили те саме:" },
      ...conflicts.map(({ path, why, hunks }) => {
        const place = hunks[0] ? `${path}:${hunks[0].line}` : path;
        return { en: `  ${place} ${why.en}`, uk: `  ${place} ${why.uk}` };
      }),
    ],
    "\n",
  );
