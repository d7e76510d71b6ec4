import { Failure } from "../../base/failure.ts";
import { joined } from "../../base/text.ts";
import { tree } from "../layout.ts";
import { problemText } from "../text/checked-yaml.ts";
import { type ConfigReading, FORMAT_VERSION, type GardenConfig } from "./garden-config.ts";

/** The settings, or a failure that tells how to correct the file. */
export function expectConfig(reading: ConfigReading): GardenConfig {
  if (reading.kind === "value") return reading.value;
  if (reading.kind === "newer") throw newerFormat("garden", reading.version);
  if (reading.kind === "older") throw olderFormat(reading.version);
  const problems = reading.problems.map((problem) => problemText(tree.config, problem));
  throw new Failure("VALIDATION_FAILED", {
    ...joined(problems, "\n"),
    hint: {
      en: `Correct ${tree.config} in a text editor; \`bloom verify\` checks it again.`,
      uk: `Виправте ${tree.config} у текстовому редакторі; \`bloom verify\` перевірить його знову.`,
    },
    details: { problems: reading.problems },
  });
}

const olderFormat = (version: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this garden has format ${version}, this bloom works with format ${FORMAT_VERSION}`,
    uk: `формат цього саду — ${version}, а цей bloom працює з форматом ${FORMAT_VERSION}`,
    hint: {
      en: "Run `bloom upgrade`: it makes a backup first.",
      uk: "Виконайте `bloom upgrade`: спершу він зробить резервну копію.",
    },
    details: { version },
  });

export const newerFormat = (what: "garden" | "backup", version: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this ${what} has format ${version}, which is newer than this bloom (format ${FORMAT_VERSION})`,
    uk: `${what === "garden" ? "цей сад має" : "ця резервна копія має"} формат ${version}, новіший за цей bloom (формат ${FORMAT_VERSION})`,
    hint: { en: "Update bloom and try again.", uk: "Оновіть bloom і повторіть." },
    details: { version },
  });

/** `details` of a failure that says that the model of a contract does not exist: nobody can ask it until its owner acts (C-7). */
export const MODEL_MISSING = { missing: "model" } as const;
export const isModelMissing = ({ details }: Pick<Failure, "details">): boolean =>
  details["missing"] === MODEL_MISSING.missing;
