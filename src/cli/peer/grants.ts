import { type Text, verbatim } from "../../base/text.ts";
import type { CapabilityTrigger } from "../../domain/federation/capability.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { grantOf } from "../../garden/federation/capabilities.ts";
import { grantTo, revokeGrant } from "../../garden/federation/follow.ts";
import { readCapabilities } from "../../garden/sessions/read-capabilities.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns } from "../text-layout.ts";

const NONE: Text = {
  en: "no grants: other gardens may do nothing here",
  uk: "дозволів немає: інші сади нічого тут не можуть",
};

export const peerGrants: Subcommands = {
  grants: {
    usage: "",
    words: [0, 0],
    does: { en: "what other gardens may do here", uk: "що інші сади можуть тут робити" },
    async run(_, { repo }) {
      const { objects } = await readCapabilities(repo);
      const grants = objects.map(grantOf);
      const lines = alignColumns(
        grants.map(({ id, peer, trigger, agenticType, notAfter }) => [
          id.slice(0, 10),
          peer,
          trigger,
          agenticType,
          notAfter ?? "",
        ]),
      );
      return { text: lines.length === 0 ? NONE : verbatim(lines.join("\n")), json: { grants }, asked: true };
    },
  },
  grant: {
    usage: "PEER KIND TRIGGER",
    words: [3, 3],
    does: {
      en: "allow a garden one trigger (spawn, head-move, notes, merge) for a kind of commits and the kinds below it",
      uk: "дозволити садові одну дію (spawn, head-move, notes, merge) для виду комітів і видів під ним",
    },
    async run(context, garden, [peer, agenticType, trigger]) {
      const notAfter = textOption(context, "until");
      const grant = {
        peer: peer!,
        agenticType: agenticType!,
        trigger: trigger as CapabilityTrigger,
        ...(notAfter !== undefined && { notAfter }),
      };
      const change = await grantTo(garden, grant, commandLineOwner);
      return {
        text: {
          en: `${peer} may ${trigger} ${agenticType}. Take it back: \`bloom peer revoke ${change.id.slice(0, 10)}\`.`,
          uk: `${peer}: дозволено ${trigger} ${agenticType}. Відкликати: \`bloom peer revoke ${change.id.slice(0, 10)}\`.`,
        },
        json: change,
      };
    },
  },
  revoke: {
    usage: "ID",
    words: [1, 1],
    does: { en: "take a grant back", uk: "відкликати дозвіл" },
    async run(_, garden, [id]) {
      const { objects } = await readCapabilities(garden.repo);
      const found = objects.filter((object) => object.id.startsWith(id!));
      const change = await revokeGrant(garden, found.length === 1 ? found[0]!.id : id!, commandLineOwner);
      return {
        text:
          change.commit === undefined
            ? {
                en: `There is no grant ${id}: \`bloom peer grants\` lists them.`,
                uk: `Дозволу ${id} немає: перелік дає \`bloom peer grants\`.`,
              }
            : { en: "The grant is taken back.", uk: "Дозвіл відкликано." },
        json: change,
        exit: change.commit === undefined ? 1 : 0,
      };
    },
  },
};
