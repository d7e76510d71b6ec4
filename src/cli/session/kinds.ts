import { verbatim } from "../../base/text.ts";
import type { NewKind } from "../../domain/session/kinds.ts";
import { listKinds, peerKindIn, takeKind } from "../../garden/federation/peer-kinds.ts";
import { registerKind } from "../../garden/sessions/kind-library.ts";
import type { SessionGarden } from "../../garden/sessions/session-garden.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns } from "../text-layout.ts";

/** S-1: the registry of kinds. A kind is registered once and never changed. */
export const sessionKinds: Subcommands = {
  kinds: {
    usage: "",
    words: [0, 0],
    does: {
      en: "kinds of commits and objects, also those of followed gardens (--from: of one)",
      uk: "види комітів та об'єктів, також садів, за якими стежите (--from: одного)",
    },
    async run(context, { repo }) {
      const kinds = await listKinds(repo, textOption(context, "from"));
      const lines = alignColumns(
        kinds.map(({ name, parent, id, garden }) => [
          garden === null ? name : `${garden}/${name}`,
          parent ?? "-",
          id ?? "-",
        ]),
      );
      return { text: verbatim(lines.join("\n")), json: { kinds }, asked: true };
    },
  },
  "new-kind": {
    usage: "NAME PARENT | PEER/NAME",
    words: [1, 2],
    does: {
      en: "register a kind of commits below another one, or one of a followed garden as it is there, for good",
      uk: "зареєструвати вид комітів під іншим або вид саду, за яким стежите, яким він там є, назавжди",
    },
    async run(_, garden, [written, below]) {
      const kind = await newKind(garden, written!, below);
      const { name, parent } = kind;
      return { text: { en: `${name} is a kind of ${parent}.`, uk: `${name} — вид ${parent}.` }, json: { ...kind } };
    },
  },
};

async function newKind(garden: SessionGarden, written: string, parent: string | undefined): Promise<NewKind> {
  const theirs = peerKindIn(written);
  if (theirs && parent === undefined) return takeKind(garden, theirs.peer, theirs.kind);
  if (parent === undefined)
    throw usageError(
      { en: `the kind above ${written} is missing`, uk: `бракує виду над ${written}` },
      {
        en: `\`bloom session new-kind ${written} finding\`, or \`PEER/${written}\` for the kind of a followed garden.`,
        uk: `\`bloom session new-kind ${written} finding\` або \`PEER/${written}\` для виду саду, за яким стежите.`,
      },
    );
  const kind = { name: written, parent };
  await registerKind(garden, kind);
  return kind;
}
