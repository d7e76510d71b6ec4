import type { Command } from "../command.ts";
import { example, flag, option } from "../options.ts";
import { peerFollowing } from "../peer/following.ts";
import { peerGrants } from "../peer/grants.ts";
import { peerKeys } from "../peer/keys.ts";
import { peerPublishing } from "../peer/publishing.ts";
import { peerWorking } from "../peer/working.ts";
import { gardenCommand } from "../subcommands.ts";

export const peerCommand: Command = gardenCommand({
  name: "peer",
  summary: { en: "work together with other gardens", uk: "працювати разом з іншими садами" },
  usual: "list",
  options: {
    key: option("SHA256:…", "with add: the fingerprint of its key", "з add: відбиток його ключа"),
    replace: flag(
      "with add: pin another key of a garden that is followed; what came by the old one leaves",
      "з add: закріпити інший ключ саду, за яким стежать; отримане за старим зникне",
    ),
    make: flag("with identity: make the key if there is none", "з identity: зробити ключ, якщо його немає"),
    until: option("TIME", "with grant: until this time (UTC)", "з grant: до цього часу (UTC)"),
    to: option("REMOTE", "with publish: a remote of garden.yaml", "з publish: віддалений репозиторій із garden.yaml"),
    withdraw: {
      ...option("SESSION", "with publish: no longer announce this one", "з publish: більше не оголошувати цю"),
      many: true,
    },
    traces: flag(
      "with publish: with the traces of all published sessions, from now on",
      "з publish: відтепер зі слідами всіх оприлюднених сесій",
    ),
    "no-traces": flag("with publish: no longer with traces", "з publish: більше без слідів"),
    summary: option("TEXT", "with merge: first line of the commit", "з merge: перший рядок коміту"),
    reason: option("TEXT", "with merge: why", "з merge: чому"),
    seen: option("DIGEST", "with publish: publish what was shown", "з publish: оприлюднити показане"),
  },
  subcommands: { ...peerFollowing, ...peerWorking, ...peerGrants, ...peerPublishing, ...peerKeys },
  examples: [
    example("bloom peer identity --make", "the key to give to others", "ключ, який дають іншим"),
    example("bloom peer add alice https://example.org/alice.git --key SHA256:…", "follow a garden", "стежити за садом"),
    example("bloom peer grant alice finding head-move", "allow one kind of change", "дозволити один вид змін"),
    example("bloom peer accept alice", "look at what it announces", "подивитися, що він оголошує"),
  ],
});
