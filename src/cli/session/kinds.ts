import { verbatim } from "../../base/text.ts";
import { readKinds, registerKind } from "../../garden/sessions/kind-library.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns } from "../text-layout.ts";

/** S-1: the registry of kinds. A kind is registered once and never changed. */
export const sessionKinds: Subcommands = {
  kinds: {
    usage: "",
    words: [0, 0],
    does: { en: "kinds of commits and objects", uk: "види комітів та об'єктів" },
    async run(_, { repo }) {
      const kinds = [...(await readKinds(repo))].map(([name, parent]) => ({ name, parent: parent ?? null }));
      const lines = alignColumns(kinds.map(({ name, parent }) => [name, parent ?? "-"]));
      return { text: verbatim(lines.join("\n")), json: { kinds }, asked: true };
    },
  },
  "new-kind": {
    usage: "NAME PARENT",
    words: [2, 2],
    does: {
      en: "register a kind of commits below another one, for good",
      uk: "зареєструвати вид комітів під іншим, назавжди",
    },
    async run(_, garden, [name, parent]) {
      await registerKind(garden, { name: name!, parent: parent! });
      return {
        text: { en: `${name} is a kind of ${parent}.`, uk: `${name} — вид ${parent}.` },
        json: { name: name!, parent: parent! },
      };
    },
  },
};
