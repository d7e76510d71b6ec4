import { joined, type Text, verbatim } from "../../base/text.ts";
import { type GardenPlace, startCommand } from "../../domain/known-garden.ts";
import { forgetKnownGarden, knownGardens } from "../../garden/life/known-gardens.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { example } from "../options.ts";
import { plainCommand, type Subcommands } from "../subcommands.ts";
import { oneLine } from "../text-layout.ts";

const subcommands: Subcommands<undefined> = {
  list: {
    usage: "",
    words: [0, 0],
    does: { en: "gardens of this machine, and where they run", uk: "сади цієї машини й де вони працюють" },
    run: (context) => listGardens(context),
  },
  forget: {
    usage: "GARDEN",
    words: [1, 1],
    does: {
      en: "remove one from the list (name or folder); its folder stays",
      uk: "прибрати один із переліку (назва або тека); його тека лишається",
    },
    run: (context, _, [named]) => forgetGarden(context, named!),
  },
};

export const gardensCommand = plainCommand({
  name: "gardens",
  summary: { en: "the gardens of this machine", uk: "сади цієї машини" },
  usual: "list",
  subcommands,
  options: {},
  examples: [example("bloom gardens forget ../old", "the folder itself is not touched", "саму теку не змінено")],
});

async function listGardens({ ground }: CommandContext): Promise<CommandReport> {
  const gardens = await knownGardens(ground);
  const text = gardens.length === 0 ? NONE : joined(gardens.map(gardenText), "\n");
  return { text, json: { gardens }, asked: true };
}

function gardenText({ name, dir, state, address }: GardenPlace): Text {
  const line = `${oneLine(name)}  ${oneLine(dir)}`;
  if (state === "running") return verbatim(`${line}\n  ${address ?? ""}`);
  if (state === "stopped")
    return { en: `${line}\n  not running: ${startCommand(dir)}`, uk: `${line}\n  не працює: ${startCommand(dir)}` };
  return {
    en: `${line}\n  ! no garden there any more: bloom gardens forget, or move it back`,
    uk: `${line}\n  ! саду там уже немає: bloom gardens forget або поверніть теку на місце`,
  };
}

async function forgetGarden(context: CommandContext, named: string): Promise<CommandReport> {
  const known = await knownGardens(context.ground);
  const isNamed = known.some(({ id, name, dir }) => [id, name, dir].includes(named));
  const { name, dir } = await forgetKnownGarden(context.ground, isNamed ? named : context.path(named));
  return {
    text: { en: `Forgotten: ${name}. Its folder is unchanged: ${dir}`, uk: `Забуто: ${name}. Тека лишилася: ${dir}` },
    json: { kind: "forgotten", dir },
  };
}

const NONE: Text = {
  en: "No gardens known. `bloom init`, `bloom demo` and `bloom up` add theirs.",
  uk: "Жодного саду. `bloom init`, `bloom demo` і `bloom up` додають свої.",
};
