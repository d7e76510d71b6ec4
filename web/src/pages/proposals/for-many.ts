import type { ProposalCard } from "../../api/endpoints.gen.ts";

/** P-10: the maximum of one batch decision. Changes of logic are decided one by one. */
export const MOST = 50;
export const isForMany = ({ action }: ProposalCard): boolean => !/^logic-|merge$/.test(action);
