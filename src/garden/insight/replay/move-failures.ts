import { Failure } from "../../../base/failure.ts";
import type { Language } from "../../../base/text.ts";
import type { Identity } from "../../../domain/identity.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { MovePlan } from "./move-check.ts";

export const onlyOwnerMoves = (by: Identity): Failure => onlyOwner(by, { en: "move a run", uk: "перенести запуск" });

export const notHeld = (run: string, status: string | undefined): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run} does not wait for the answer to a question${status === undefined ? "" : `: it is ${status}`}; only such a run can be moved`,
    uk: `запуск ${run} не чекає на відповідь${status === undefined ? "" : `: його стан ${status}`}; перенести можна лише такий`,
    hint: { en: "`bloom requests` lists the open questions.", uk: "Відкриті запитання показує `bloom requests`." },
    details: { run, ...(status !== undefined && { status }) },
  });

export const versionIsCurrent = ({ slug, run }: RunPlace, version: string | null): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run} has the current logic version of ${slug} already: ${version ?? "none"}`,
    uk: `запуск ${run} уже має поточну версію логіки ${slug}: ${version ?? "жодної"}`,
    hint: { en: "It continues when its question is answered.", uk: "Він продовжиться, коли на запитання відповідять." },
    details: { run, agent: slug, logic_version: version },
  });

export const forkStays = (run: string, origin: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run} is a fork of ${origin}; a fork keeps the version of its origin`,
    uk: `запуск ${run} — відгалуження від ${origin}; воно зберігає версію, від якої пішло`,
    hint: { en: "Cancel it and start a new run.", uk: "Скасуйте його й запустіть агента знову." },
    details: { run, from: origin },
  });

export const cancelledMeanwhile = (run: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run} is being cancelled`,
    uk: `запуск ${run} скасовується`,
    hint: { en: "Start a new run instead.", uk: "Запустіть агента знову." },
    details: { run },
  });

/** The replay check did not find the same path: with the place, and the ways that are left. */
export const pathParts = ({ slug, run }: RunPlace, plan: MovePlan): Failure => {
  const hint = {
    en: `Answer it under ${plan.from ?? "its version"}, or start anew: \`bloom runs cancel ${run}\`, \`bloom run ${slug}\`. \`bloom runs fork ${run} --at N\` copies it under its own version.`,
    uk: `Дайте відповідь за ${plan.from ?? "його версією"} або почніть знову: \`bloom runs cancel ${run}\`, \`bloom run ${slug}\`. \`bloom runs fork ${run} --at N\` зробить копію з його версією.`,
  };
  return new Failure("INVALID_TRANSITION", {
    en: `the run ${run} cannot be moved to ${plan.to ?? "the current contract"}: ${planInWords(plan, "en")}`,
    uk: `запуск ${run} не перенести на ${plan.to ?? "поточний контракт"}: ${planInWords(plan, "uk")}`,
    hint,
    details: { run, agent: slug, check: { ...plan } },
  });
};

/** The result of a replay check in one sentence, without a full stop. */
export function planInWords({ kind, at, why }: MovePlan, language: Language): string {
  const place = at === undefined ? "" : ` ${WORDS.at[language]} ${at.icon} (${at.diagram}): ${JSON.stringify(at.text)}`;
  return `${WORDS[kind][language]}${place}${why === undefined ? "" : `; ${why[language]}`}`;
}

const WORDS = {
  same: {
    en: "its recorded steps take the same path up to its question",
    uk: "записані кроки йдуть тим самим шляхом до запитання",
  },
  parts: { en: "its recorded steps take another path", uk: "записані кроки йдуть іншим шляхом" },
  "cannot-tell": {
    en: "the recording does not tell its path",
    uk: "із запису не видно, яким шляхом він пішов би",
  },
  at: { en: "at the icon", uk: "на іконі" },
} as const;
