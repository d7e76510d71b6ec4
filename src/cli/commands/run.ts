import { commandLineOwner } from "../../domain/identity.ts";
import { askForRun } from "../../garden/runs/request-run.ts";
import type { Command } from "../command.ts";
import { example, flag, option } from "../options.ts";
import { parseValues } from "../runs/parse-values.ts";
import { tryRun } from "../runs/try-run.ts";
import { workAndWatch } from "../runs/work-and-watch.ts";
import { withGarden } from "../with-garden.ts";

export const runCommand: Command = {
  name: "run",
  summary: { en: "run an agent", uk: "запустити агента" },
  usage: "AGENT [--input NAME=VALUE …] [--wait | --dry]",
  words: [1, 1],
  options: {
    input: {
      ...option(
        "NAME=VALUE",
        "an input value of the procedure, as JSON or text (may be repeated)",
        "що дати процедурі; значення — JSON або текст (можна повторювати)",
      ),
      many: true,
    },
    wait: {
      ...flag(
        "execute the run in this process and print its steps until it ends or waits for a person",
        "працювати над ним тут і показувати кроки, доки не завершиться чи не спитає людину",
      ),
      short: "w",
    },
    dry: flag(
      "show what it would propose, and write nothing; also for a draft",
      "показати, що він запропонував би, і нічого не записати; також для чернетки",
    ),
  },
  examples: [
    example(
      "bloom run archivist --wait",
      "exit code 0 completed, 1 failed, 9 waits for a person",
      "код 0 — добре, 1 — не вдалося, 9 — чекає на людину",
    ),
    example(
      'bloom run librarian --input question="When does the lime tree bloom?" --wait',
      "a question for its procedure",
      "запитання для його процедури",
    ),
    example("bloom run gardener --dry", "try it without proposing", "спробувати, не пропонуючи"),
    example("bloom run gardener", "request a run; `bloom up` executes it", "замовити; працюватиме `bloom up`"),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const input = parseValues(context, "input");
      if (context.options["dry"] === true) return await tryRun(context, garden, { slug: context.words[0]!, input });
      const request = await askForRun(garden, { slug: context.words[0]!, by: commandLineOwner, input });
      const { run_id, agent_slug: slug } = request;
      if (context.options["wait"] === true) {
        context.say({ en: `${run_id}  ${slug}`, uk: `${run_id}  ${slug}` });
        return await workAndWatch(context, garden, { slug, run: run_id });
      }
      return {
        text: {
          en: `Requested ${run_id}. \`bloom up\` executes it, or \`bloom runs resume ${run_id}\` in this process.`,
          uk: `Замовлено ${run_id}. Працюватиме \`bloom up\`, а тут — \`bloom runs resume ${run_id}\`.`,
        },
        json: { run: request },
      };
    }),
};
