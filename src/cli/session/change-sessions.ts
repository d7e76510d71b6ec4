import { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { headOf } from "../../garden/core/main-head.ts";
import { mergeSession } from "../../garden/sessions/merge-session.ts";
import { rebindTraces } from "../../garden/sessions/rebind-traces.ts";
import {
  type Spawned,
  type SpawnWish,
  spawnSession,
  spawnSessionAt,
  spawnSessionFrom,
} from "../../garden/sessions/spawn-session.ts";
import type { CommandContext } from "../command.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";

/** Subcommands that write. None of them moves main: that takes an approved proposal. */
export const sessionChanging: Subcommands = {
  spawn: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "start a session on its own branch, at main unless told otherwise",
      uk: "почати сесію на власній гілці, від main, якщо не вказано інше",
    },
    async run(context, garden, [name]) {
      const goal = textOption(context, "goal") ?? "";
      const spawned = await spawnAs(context, garden, { name: name!, briefing: { goal } });
      if (spawned.kind === "conflict") throw nameTaken(name!, spawned.ref);
      return { text: verbatim(`agents/${name}  ${spawned.commit.slice(0, 10)}`), json: spawned };
    },
  },
  merge: {
    usage: "FROM INTO",
    words: [2, 2],
    does: {
      en: "merge one session into another, as a commit with two parents",
      uk: "злити одну сесію в іншу комітом з двома батьками",
    },
    async run(_, garden, [from, into]) {
      const merged = await mergeSession(garden, { from: from!, into: into! });
      if (merged.kind === "conflict") throw headMoved(into!);
      if (merged.kind === "merged") return { text: verbatim(merged.commit), json: merged };
      if (merged.kind === "up-to-date")
        return { text: { en: "nothing to merge", uk: "зливати нема чого" }, json: merged };
      const paths = merged.conflicts.map(({ path }) => path).join("\n");
      return {
        text: {
          en: `both changed the same lines; nothing was written:\n${paths}`,
          uk: `обидві змінили ті самі рядки; нічого не записано:\n${paths}`,
        },
        json: merged,
        exit: 5,
      };
    },
  },
  rebind: {
    usage: "",
    words: [0, 0],
    does: {
      en: "bind traces again after a rebase, squash or cherry-pick by hand",
      uk: "прив'язати сліди знову після rebase, squash чи cherry-pick вручну",
    },
    async run(_, garden) {
      const done = await rebindTraces(garden);
      return {
        text: {
          en: `bound again: ${done.bound.length}; without a commit in any branch: ${done.orphans.length}`,
          uk: `прив'язано знову: ${done.bound.length}; без коміту в жодній гілці: ${done.orphans.length}`,
        },
        json: done,
      };
    },
  },
};

async function spawnAs(context: CommandContext, garden: Garden, wish: SpawnWish): Promise<Spawned> {
  const parent = textOption(context, "from");
  const at = textOption(context, "at");
  if (parent !== undefined) return spawnSessionFrom(garden, parent, wish);
  if (context.options["empty"] === true) return spawnSession(garden, wish);
  return spawnSessionAt(garden, at ?? (await headOf(garden.repo)), wish);
}

const nameTaken = (name: string, ref: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `the name ${name} is taken: ${ref} exists`,
    uk: `назву ${name} зайнято: ${ref} вже є`,
    hint: {
      en: "Choose another name; `bloom session list` shows those in use.",
      uk: "Оберіть іншу назву; зайняті показує `bloom session list`.",
    },
    details: { session: name, ref },
  });

const headMoved = (name: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session ${name} moved meanwhile; nothing was written`,
    uk: `сесія ${name} тим часом змінилася; нічого не записано`,
    details: { session: name },
  });
