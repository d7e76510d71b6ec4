import { Failure } from "../../../base/failure.ts";
import type { SubRun } from "../../../domain/run/sub-run.ts";

/** Ends the work on a run until the run of its sub-agent is over. `callEnd` of the runtime port knows it by `held`. */
export const waitsForSubAgent = ({ id, run_id, agent_slug, child }: SubRun): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run_id} waits for its sub-agent ${child.agent}, run ${child.run}`,
    uk: `запуск ${run_id} чекає на субагента ${child.agent}, запуск ${child.run}`,
    details: { held: id, run: run_id, agent: agent_slug },
  });

export const tooDeep = (slug: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${slug} may not ask for a sub-agent here: the sub-agents above it leave no further level`,
    uk: `${slug} не може кликати субагента звідси: для нижчого рівня вже немає місця`,
    hint: {
      en: "`sub_agents.depth` of the first agent's contract says how many levels there may be, at most 5.",
      uk: "Скільки рівнів дозволено, каже `sub_agents.depth` у контракті першого агента, не більше 5.",
    },
    details: { agent: slug, limit: "sub_agents.depth" },
  });

export const tooManySubAgents = (slug: string, used: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `${slug} has used up its sub-agents: ${used} so far, with those below them`,
    uk: `${slug} вичерпав своїх субагентів: уже ${used}, разом із нижчими`,
    hint: {
      en: "`sub_agents.most` of the contract says how many a run may have in all, at most 100.",
      uk: "Скільки їх може мати запуск, каже `sub_agents.most` у контракті, не більше 100.",
    },
    details: { agent: slug, limit: "sub_agents.most", used },
  });

export const budgetForSubAgent = (slug: string, limit: "tokens" | "calls"): Failure =>
  new Failure("FORBIDDEN", {
    en: `${slug} has nothing left of budget.${limit} for a sub-agent`,
    uk: `у ${slug} не лишилося budget.${limit} на субагента`,
    hint: {
      en: "What a sub-agent uses counts against the run that asked for it.",
      uk: "Витрачене субагентом рахується тому запуску, що його покликав.",
    },
    details: { agent: slug, limit: `budget.${limit}` },
  });

export const noBranchForSubAgent = (slug: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `the agent ${slug} has no \`workspace: session\` in its contract: its work could not be merged`,
    uk: `у контракті агента ${slug} немає \`workspace: session\`: його роботу не вдалося б злити`,
    hint: {
      en: `Add \`workspace: session\` to agents/${slug}/_agent.md.`,
      uk: `Додайте \`workspace: session\` до agents/${slug}/_agent.md.`,
    },
    details: { agent: slug, field: "workspace" },
  });

export const foldersNotGranted = (slug: string, folders: readonly string[]): Failure =>
  new Failure("FORBIDDEN", {
    en: `${slug} may not hand on these folders, because it does not see them itself: ${folders.join(", ")}`,
    uk: `${slug} не може передати ці теки, бо не бачить їх сам: ${folders.join(", ")}`,
    details: { agent: slug, folders },
  });

/** The run of a sub-agent was deleted with its agent while the other waited for it. */
export const subAgentDeleted = ({ child }: SubRun): Failure =>
  new Failure("NOT_FOUND", {
    en: `the run ${child.run} of the sub-agent ${child.agent} was deleted`,
    uk: `запуск ${child.run} субагента ${child.agent} видалено`,
    details: { agent: child.agent, run: child.run },
  });

/** C-6: the run that asked for this one is over, so nobody waits for its work. */
export const askingRunOver = (run: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the run ${run}, which asked for this sub-agent, is over`,
    uk: `запуск ${run}, що покликав цього субагента, завершився`,
    details: { run },
  });
