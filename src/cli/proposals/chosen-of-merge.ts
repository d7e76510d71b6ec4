import type { Review } from "../../garden/changes/effect/review.ts";
import type { CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { textsOption } from "../options.ts";

/** The files that `--only` and `--except` choose; undefined for all. */
export function chosenOfMerge(
  context: CommandContext,
  { files }: Pick<Review, "files">,
): readonly string[] | undefined {
  const [only, except] = [textsOption(context, "only"), textsOption(context, "except")];
  if (only.length > 0 && except.length > 0)
    throw usageError(
      { en: "--only and --except exclude each other", uk: "--only і --except виключають одне одне" },
      {
        en: "Name the files that you take, or those that you leave out.",
        uk: "Назвіть файли, які берете, або ті, які лишаєте.",
      },
    );
  if (only.length > 0) return only;
  if (except.length === 0) return undefined;
  const unknown = except.find((path) => !files.some((file) => file.path === path));
  if (unknown !== undefined)
    throw usageError(
      { en: `--except: the merge does not change ${unknown}`, uk: `--except: злиття не змінює ${unknown}` },
      { en: "`bloom proposals show ID` lists its files.", uk: "Його файли показує `bloom proposals show ID`." },
    );
  const left = new Set(except);
  return files.map(({ path }) => path).filter((path) => !left.has(path));
}

/** True if a part of a merge is chosen. */
export const choosesFiles = (context: CommandContext): boolean =>
  textsOption(context, "only").length + textsOption(context, "except").length > 0;
