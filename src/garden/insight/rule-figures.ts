import { type Rule, ruleName, ruleText } from "../../domain/config/auto-approve.ts";
import { rateInterval } from "../../domain/logic/rate-interval.ts";
import { isInFolder } from "../../domain/note/note-name.ts";
import { type Action, actionTable } from "../../domain/proposal/action.ts";
import type { ProposalCard } from "../../domain/proposal/proposal-card.ts";
import { listHistory } from "../changes/proposals/list-proposals.ts";
import type { Garden } from "../core/garden.ts";
import { isTakenBack } from "./learning/proposal-fates.ts";

/** P-9: how a rule did. Regret is the share of its approvals that were taken back later. */
export interface RuleFigures {
  /** `rule:tags`, or `rule:2` for the second rule. */
  readonly name: string;
  readonly approved: number;
  /** Ids of the approvals that were taken back, newest first. */
  readonly undone: readonly string[];
  /** The 95 % interval of the regret, from 0 to 1. */
  readonly low: number;
  readonly high: number;
}

/** A rule that would have decided as the owner did. A suggestion only: nothing creates it. */
export interface RuleSuggestion {
  readonly identity: string;
  readonly action: Action;
  /** The folder that all of them have in common, so that the rule is not wider than its evidence. */
  readonly folder?: string;
  readonly approved: number;
  /** The newest ones. */
  readonly examples: readonly string[];
}

export interface RuleReport {
  readonly rules: readonly RuleFigures[];
  readonly suggestions: readonly RuleSuggestion[];
  /** Decisions that were read: the newest ones. */
  readonly read: number;
}

/** Older decisions are left out. */
const MOST_READ = 5000;
const PAGE = 500;
/** Fewer decisions of a kind suggest nothing. */
const ENOUGH = 20;
const MOST_EXAMPLES = 5;

export async function ruleFigures(garden: Garden): Promise<RuleReport> {
  const cards = await decidedCards(garden);
  const { auto_approve: rules } = garden.config;
  const figures = await Promise.all(rules.map((rule, index) => figuresOf(garden, rule, index + 1, cards)));
  return { rules: figures, suggestions: await suggestions(garden, rules, cards), read: cards.length };
}

async function decidedCards(garden: Garden): Promise<readonly ProposalCard[]> {
  const cards: ProposalCard[] = [];
  let after: string | undefined;
  do {
    const page = await listHistory(garden, { limit: PAGE, ...(after !== undefined && { after }) });
    cards.push(...page.proposals);
    after = page.next;
  } while (after !== undefined && cards.length < MOST_READ);
  return cards;
}

/** A rule without a name is found by its text: its number changes when the list is edited. */
function isDecidedBy({ decided_by, decision_note = "" }: ProposalCard, rule: Rule, number: number): boolean {
  if (decided_by?.startsWith("rule:") !== true) return false;
  if (rule.name !== undefined) return decided_by === ruleName(rule, number);
  return withoutNumber(decision_note) === withoutNumber(ruleText(rule, number));
}

const withoutNumber = (text: string): string => text.replace(/^auto_approve\[\d+\] /, "");

async function figuresOf(
  { store }: Garden,
  rule: Rule,
  number: number,
  cards: readonly ProposalCard[],
): Promise<RuleFigures> {
  const own = cards.filter((card) => isDecidedBy(card, rule, number));
  const undone: string[] = [];
  for (const { id, status } of own) if (status === "applied" && (await isTakenBack(store, id))) undone.push(id);
  const { low, high } = rateInterval({ hits: undone.length, of: own.length });
  return { name: ruleName(rule, number), approved: own.length, undone, low, high };
}

/** Kinds of change of one agent that the owner always approved, unchanged, and never took back. */
async function suggestions(
  { store }: Garden,
  rules: readonly Rule[],
  cards: readonly ProposalCard[],
): Promise<readonly RuleSuggestion[]> {
  const kinds = Map.groupBy(cards.filter(isDecidedByPerson), ({ source, action }) => `${source.identity} ${action}`);
  const found: RuleSuggestion[] = [];
  for (const alike of kinds.values()) {
    const { source, action } = alike[0]!;
    if (alike.length < ENOUGH || !alike.every(({ status }) => status === "applied" || status === "approved")) continue;
    const folder = commonFolder(alike.map(({ target }) => target));
    if (rules.some((rule) => covers(rule, source.identity, action, folder))) continue;
    const isRegretted = await Promise.all(alike.map(({ id }) => isTakenBack(store, id)));
    if (isRegretted.includes(true)) continue;
    const examples = alike.slice(0, MOST_EXAMPLES).map(({ id }) => id);
    found.push({
      identity: source.identity,
      action,
      ...(folder !== undefined && { folder }),
      approved: alike.length,
      examples,
    });
  }
  return found.toSorted((a, b) => b.approved - a.approved);
}

/** Memory has a narrower rule of its own (`bloom agent allow --own-values`); a fork always needs a person (O-7). */
const isDecidedByPerson = ({ source, action, status, decided_by, forked_from }: ProposalCard): boolean =>
  source.type === "agent" &&
  actionTable[action].byRule &&
  action !== "memory-update" &&
  forked_from === undefined &&
  status !== "expired" &&
  decided_by !== undefined &&
  decided_by !== "gateway" &&
  !decided_by.startsWith("rule:");

const covers = (rule: Rule, identity: string, action: Action, folder: string | undefined): boolean =>
  rule.source === "agent" &&
  (rule.identity === undefined || rule.identity === identity) &&
  rule.only === undefined &&
  (rule.actions as readonly Action[]).includes(action) &&
  (rule.folder === undefined || (folder !== undefined && isInFolder(`${folder}/x`, rule.folder)));

/** The deepest folder that contains all paths; undefined at the top of the garden. */
function commonFolder(paths: readonly string[]): string | undefined {
  const [first = [], ...rest] = paths.map((path) => path.split("/").slice(0, -1));
  let depth = first.length;
  for (const parts of rest)
    while (depth > 0 && parts.slice(0, depth).join("/") !== first.slice(0, depth).join("/")) depth--;
  return depth === 0 ? undefined : first.slice(0, depth).join("/");
}
