/** Made from the gateway's table of routes (`npx vitest run src/gateway/endpoints -u`); not edited by hand. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Answer = {
  request: string;
  value: Json;
  by: string;
  note?: string;
  answered_at: string;
};

export type MemoryArchive = {
  format: "garden-bloom/memory";
  schemaVersion: "1.0";
  agentId: string;
  commit: string;
  at: string;
  version: number;
  files: { [name: string]: string | {
    base64: string;
  } };
  digest: string;
};

export type Operation = {
  action: "propose-note";
  payload: {
    path: string;
    text: string;
  };
} | {
  action: "propose-edit";
  payload: {
    path: string;
    text: string;
    remove?: true;
  };
} | {
  action: "propose-tag";
  payload: {
    path: string;
    add: string[];
    remove: string[];
  };
} | {
  action: "propose-comment";
  payload: {
    note: string;
    text: string;
    line?: number;
    removes?: string;
  };
} | {
  action: "propose-summary";
  payload: {
    note: string;
    text: string;
    citations: {
      source: string;
      quote?: string;
      line?: number;
    }[];
    into: {
      kind: "artifact";
      agent: string;
      name: string;
    } | {
      kind: "section";
      heading: string;
    };
  };
} | {
  action: "propose-artifact";
  payload: {
    agent: string;
    name: string;
    type: string;
    body: {
      kind: "text";
      text: string;
    } | {
      kind: "base64";
      base64: string;
    } | {
      kind: "none";
    };
    replaces?: string;
  };
} | {
  action: "memory-update";
  payload: {
    agent: string;
    operations: ({
      op: "append";
      file: "snapshot.md" | "facts.md" | "open_loops.md" | "decisions.md";
      section?: string;
      text: string;
    } | {
      op: "replace";
      file: "snapshot.md" | "facts.md" | "open_loops.md" | "decisions.md";
      section?: string;
      text: string;
    } | {
      op: "close-loop";
      loop: string;
      resolution?: string;
    } | {
      op: "observe";
      text: string;
      values?: { [name: string]: Json };
    } | {
      op: "restore";
      files: {
        "snapshot.md"?: string | null;
        "facts.md"?: string | null;
        "open_loops.md"?: string | null;
        "decisions.md"?: string | null;
        "values.json"?: string | null;
      };
      from: string;
    })[];
    expectedVersion: number;
    priority: "normal" | "high";
  };
} | {
  action: "logic-update";
  payload: {
    agent: string;
    currentVersion?: string;
    diagram?: string;
    pseudocode?: string;
    rationale: {
      problem: string;
      change?: string;
      evidenceRuns: string[];
      expectedImprovement?: string;
      riskAssessment?: string;
    };
    optimizerRunId?: string;
    requiresHumanReview: true;
  };
} | {
  action: "logic-rollback";
  payload: {
    agent: string;
    currentVersion: string;
    toVersion: string;
    rationale: {
      problem: string;
      change?: string;
      evidenceRuns: string[];
      expectedImprovement?: string;
      riskAssessment?: string;
    };
    requiresHumanReview: true;
  };
} | {
  action: "propose-merge";
  payload: {
    branch: string;
    head: string;
  };
};

export type Proposal = {
  id: string;
  entry_id: string;
  source: {
    type: "owner" | "agent" | "webhook" | "guest" | "gateway";
    identity: string;
    authenticated: boolean;
    timestamp: string;
    run_id?: string;
  };
  agent?: {
    slug: string;
    version: string;
    logic?: string;
  };
  forked_from?: string;
  action: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
  target: string;
  operation: Operation;
  base: {
    revision: string;
    target_hash?: string;
  };
  effect: string;
  digest: string;
  summary: string;
  reasoning?: string;
  correlation_id: string;
  priority: "normal" | "high";
  edits?: string;
  reverts?: string;
  created_at: string;
  expires_at: string;
  status: "pending" | "approved" | "auto_approved" | "rejected" | "expired" | "applying" | "applied" | "failed";
  approval?: {
    decided_by: string;
    decided_at: string;
    decision: "approved" | "auto_approved" | "rejected" | "expired";
    decision_note?: string;
    digest: string;
    effect: string;
    report?: string;
  };
  apply_result?: {
    git_commit?: string;
    object_path?: string;
    events: string[];
    error?: {
      code: string;
      message: Text;
      details: { [name: string]: Json };
    };
    at: string;
  };
};

export type ProposalCard = {
  id: string;
  status: "pending" | "approved" | "auto_approved" | "rejected" | "expired" | "applying" | "applied" | "failed";
  action: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
  target: string;
  summary: string;
  source: {
    type: "owner" | "agent" | "webhook" | "guest" | "gateway";
    identity: string;
    authenticated: boolean;
    timestamp: string;
    run_id?: string;
  };
  forked_from?: string;
  priority: "normal" | "high";
  digest: string;
  created_at: string;
  expires_at: string;
  decided_at?: string;
  decided_by?: string;
  decision_note?: string;
  git_commit?: string;
  object_path?: string;
};

export type Received = {
  entry_id: string;
  proposal_id: string;
  action: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
  target: string;
  digest: string;
  status: "pending" | "approved" | "auto_approved" | "rejected" | "expired" | "applying" | "applied" | "failed";
  git_commit?: string;
  object_path?: string;
  created_at: string;
  expires_at: string;
};

export type Request = {
  id: string;
  run_id: string;
  agent_slug: string;
  reason: "asked" | "in-flight" | "changed";
  ask: {
    question: string;
    form: "review" | "choice" | "number" | "text";
    options?: string[];
    values?: { [name: string]: Json };
  };
  diagram?: string;
  icon?: string;
  line?: number;
  asked_at: string;
};

export type Review = {
  digest: string;
  effect?: string;
  files: ({
    path: string;
    change: "added" | "changed" | "removed";
    patch: string;
    bytes?: number;
  })[];
  merged: boolean;
  conflicts: {
    path: string;
    why: Text;
    hunks: {
      line: number;
      ours: string;
      theirs: string;
    }[];
  }[];
  refusal?: {
    code: string;
    text: Text;
    hint?: Text;
  };
  nothing?: Text;
  head: string;
  warnings: Text[];
  words: {
    summary: string;
    reasoning?: string;
  };
};

export type Run = {
  run_id: string;
  agent_slug: string;
  state: "requested" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
  trigger: "manual" | "cron" | "event";
  requested_at: string;
  started_at?: string;
  finished_at?: string;
  step?: {
    position: number;
    name: string;
  };
  waiting_for?: string;
  outcome?: {
    kind: "effects" | "noop" | "blocked" | "failed";
    proposals?: string[];
    reason?: string;
    by?: string;
  };
  proposals_created?: number;
  forked_from?: {
    run: string;
    step: number;
  };
};

export type RunManifest = { [name: string]: Json };

export type Step = {
  position: number;
  name: string;
  kind: "step" | "model" | "tool";
  diagram?: string;
  icon?: string;
  line?: number;
  started_at: string;
  finished_at: string;
  attempt: number;
  failure?: {
    code: string;
    text: Text;
  };
  tokens?: {
    input: number;
    output: number;
  };
  proposals: string[];
  input: Json;
  output?: Json;
};

export type StepCard = {
  position: number;
  name: string;
  kind: "step" | "model" | "tool";
  diagram?: string;
  icon?: string;
  line?: number;
  started_at: string;
  finished_at: string;
  attempt: number;
  failure?: {
    code: string;
    text: Text;
  };
  tokens?: {
    input: number;
    output: number;
  };
  proposals: string[];
};

export type Text = {
  uk: string;
  en: string;
};

export interface Endpoints {
  "GET /health": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      status: "ok" | "degraded";
      parts: { [name: string]: {
        status: "ok" | "degraded" | "off";
        about: string;
        remarks: Text[];
      } };
    };
  };
  "GET /openapi.json": {
    params: {};
    query: {};
    body: undefined;
    answer: { [name: string]: Json };
  };
  "POST /sign-out": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      signed_out: boolean;
    };
  };
  "GET /me": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      type: "owner" | "agent" | "guest";
      identity: string;
      via: string;
      run?: string;
      folders?: string[];
      actions?: string[];
      expires_at?: string;
    };
  };
  "POST /inbox/submit": {
    params: {};
    query: {};
    body: {
      intent: {
        action: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
        target?: string;
        payload: { [name: string]: Json };
        summary?: string;
        reasoning?: string;
      };
      metadata?: {
        correlation_id?: string;
        priority?: "normal" | "high";
        ttl_hours?: number;
      };
    };
    answer: Received;
  };
  "GET /inbox/stats": {
    params: {};
    query: {
      month?: string;
    };
    body: undefined;
    answer: {
      month: string;
      pending: number;
      processed: number;
      rejected: number;
    };
  };
  "GET /inbox/entries": {
    params: {};
    query: {
      after?: string;
      limit?: string;
      status?: "pending" | "processed" | "rejected";
      month?: string;
    };
    body: undefined;
    answer: {
      entries: ({
        id: string;
        source: {
          type: "owner" | "agent" | "webhook" | "guest" | "gateway";
          identity: string;
          authenticated: boolean;
          timestamp: string;
          run_id?: string;
        };
        intent: {
          action: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
          target: string;
          payload: { [name: string]: Json };
          summary?: string;
          reasoning?: string;
        };
        metadata: {
          correlation_id: string;
          priority: "normal" | "high";
          ttl_hours: number;
          edits?: string;
          reverts?: string;
        };
        proposal_id?: string;
        rejection?: {
          check: string;
          code: string;
          text: Text;
          hint?: Text;
        };
      })[];
      next?: string;
    };
  };
  "GET /proposals/pending": {
    params: {};
    query: {
      after?: string;
      limit?: string;
      agent?: string;
      action?: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
    };
    body: undefined;
    answer: {
      proposals: ProposalCard[];
      next?: string;
    };
  };
  "GET /proposals/history": {
    params: {};
    query: {
      after?: string;
      limit?: string;
      agent?: string;
      status?: "approved" | "rejected" | "expired" | "applied" | "failed";
      month?: string;
    };
    body: undefined;
    answer: {
      proposals: ProposalCard[];
      next?: string;
    };
  };
  "POST /proposals/batch": {
    params: {};
    query: {};
    body: {
      verdict: "approve" | "reject";
      proposals: {
        id: string;
        digest: string;
      }[];
      note?: string;
    };
    answer: {
      results: {
        id: string;
        status: number;
        proposal?: Proposal;
        error?: {
          code: string;
          message: Text;
          details: { [name: string]: Json };
        };
      }[];
    };
  };
  "GET /proposals/:id": {
    params: { id: string };
    query: {};
    body: undefined;
    answer: {
      proposal: Proposal;
      review?: Review;
      report?: {
        kind: "no-recordings" | "counterfactual";
        digest: string;
        proposal: string;
        agent: string;
        made_at: string;
        static: {
          rows: ({
            id: string;
            title: {
              uk: string;
              en: string;
            };
            result: "pass" | "fail" | "warning" | "skipped";
            words: {
              uk: string;
              en: string;
            };
          })[];
          tools: {
            added: string[];
            removed: string[];
          };
          behaviour: {
            before: string | null;
            after: string;
          };
          summary: {
            uk: string;
            en: string;
          };
          riskLevel: "low" | "medium" | "high";
          reasons: {
            uk: string;
            en: string;
          }[];
        };
        counterfactual?: {
          program: string;
          most_steps: number;
          totals: {
            runs: number;
            same: number;
            parts: number;
            avoids: number;
            cannot_tell: number;
            unreadable: number;
            facts: number;
            claims: number;
          };
          icons: {
            diagram: string;
            icon: string;
            text: string;
            parts: number;
            avoids: number;
            cannot_tell: number;
            way: string[];
          }[];
          rows: ({
            run: string;
            version: string | null;
            status: "completed" | "failed" | "cancelled" | null;
            certainty: "fact" | "claim" | "unknown";
            kind: "same" | "parts" | "avoids" | "cannot-tell" | "unreadable";
            at?: {
              diagram: string;
              icon: string;
              text: string;
            };
            asked?: {
              diagram: string;
              icon: string;
              text: string;
            };
            why?: {
              uk: string;
              en: string;
            };
            end?: {
              kind: "done" | "returned" | "failed" | "endless" | "stopped";
              at?: {
                diagram: string;
                icon: string;
                text: string;
              };
              why?: {
                uk: string;
                en: string;
              };
            };
            failure?: {
              at?: {
                diagram: string;
                icon: string;
                text: string;
              };
              call?: string;
              code: string;
              why: {
                uk: string;
                en: string;
              };
            };
            detours?: {
              diagram: string;
              icon: string;
              text: string;
            }[];
          })[];
        };
      };
    };
  };
  "GET /proposals/:id/report": {
    params: { id: string };
    query: {};
    body: undefined;
    answer: {
      report: {
        kind: "no-recordings" | "counterfactual";
        digest: string;
        proposal: string;
        agent: string;
        made_at: string;
        static: {
          rows: ({
            id: string;
            title: {
              uk: string;
              en: string;
            };
            result: "pass" | "fail" | "warning" | "skipped";
            words: {
              uk: string;
              en: string;
            };
          })[];
          tools: {
            added: string[];
            removed: string[];
          };
          behaviour: {
            before: string | null;
            after: string;
          };
          summary: {
            uk: string;
            en: string;
          };
          riskLevel: "low" | "medium" | "high";
          reasons: {
            uk: string;
            en: string;
          }[];
        };
        counterfactual?: {
          program: string;
          most_steps: number;
          totals: {
            runs: number;
            same: number;
            parts: number;
            avoids: number;
            cannot_tell: number;
            unreadable: number;
            facts: number;
            claims: number;
          };
          icons: {
            diagram: string;
            icon: string;
            text: string;
            parts: number;
            avoids: number;
            cannot_tell: number;
            way: string[];
          }[];
          rows: ({
            run: string;
            version: string | null;
            status: "completed" | "failed" | "cancelled" | null;
            certainty: "fact" | "claim" | "unknown";
            kind: "same" | "parts" | "avoids" | "cannot-tell" | "unreadable";
            at?: {
              diagram: string;
              icon: string;
              text: string;
            };
            asked?: {
              diagram: string;
              icon: string;
              text: string;
            };
            why?: {
              uk: string;
              en: string;
            };
            end?: {
              kind: "done" | "returned" | "failed" | "endless" | "stopped";
              at?: {
                diagram: string;
                icon: string;
                text: string;
              };
              why?: {
                uk: string;
                en: string;
              };
            };
            failure?: {
              at?: {
                diagram: string;
                icon: string;
                text: string;
              };
              call?: string;
              code: string;
              why: {
                uk: string;
                en: string;
              };
            };
            detours?: {
              diagram: string;
              icon: string;
              text: string;
            }[];
          })[];
        };
      };
      mainFile: string;
      svg?: string;
    };
  };
  "PATCH /proposals/:id": {
    params: { id: string };
    query: {};
    body: {
      verdict: "approve";
      digest: string;
      note?: string;
    } | {
      verdict: "reject";
      digest: string;
      note: string;
    } | {
      verdict: "edit";
      digest: string;
      note?: string;
      payload: { [name: string]: Json };
    } | {
      verdict: "retry";
    };
    answer: {
      proposal: Proposal;
      first?: Proposal;
    };
  };
  "GET /logic/:agentId/read": {
    params: { agentId: string };
    query: {
      format?: "pseudo" | "drakon";
      version?: string;
      maxTokens?: string;
    };
    body: undefined;
    answer: {
      agentId: string;
      logicVersion: string;
      format: "pseudo" | "drakon";
      tokenCount: number;
      content: string;
      meta: {
        agentId: string;
        logicVersion: string;
        activeSince: string;
        sourceProposal: string;
        runsOnThisVersion: number;
        successRate: number | null;
        avgTokensPerRun: number | null;
        optimizerLastAnalysis: string | null;
        optimizerRecommendation: string;
        schemaVersion: "1.0";
      };
      versions: string[];
    };
  };
  "POST /logic/:agentId/propose": {
    params: { agentId: string };
    query: {};
    body: { [name: string]: Json };
    answer: Received;
  };
  "GET /logic/:agentId/diff": {
    params: { agentId: string };
    query: {
      from: string;
      to: string;
      format?: "pseudo" | "drakon";
    };
    body: undefined;
    answer: {
      agentId: string;
      fromVersion: string;
      toVersion: string;
      format: "pseudo" | "drakon";
      diff: string;
      summary: Text;
      riskLevel: "low" | "medium" | "high";
      reasons: Text[];
    };
  };
  "GET /logic/:agentId/performance": {
    params: { agentId: string };
    query: {
      versions?: string;
    };
    body: undefined;
    answer: {
      agentId: string;
      versions: { [name: string]: {
        success_rate: number | null;
        avg_tokens: number | null;
        error_rate: number | null;
        totalRuns: number;
        success_interval: {
          low: number;
          high: number;
        } | null;
        avg_ms: number | null;
        judgedRuns: number;
        good_rate: number | null;
        good_interval: {
          low: number;
          high: number;
        } | null;
        proposals: {
          accepted: number;
          edited: number;
          rejected: number;
          reverted: number;
          open: number;
        };
        acceptance_rate: number | null;
        acceptance_interval: {
          low: number;
          high: number;
        } | null;
        pooledWith: string[];
      } };
      trend: "unknown" | "improving" | "declining" | "stable";
      recommendation: Text;
      confidence: number;
      enoughRuns: number;
      comparison: {
        before: string;
        after: string;
        metric: "good_rate" | "success_rate";
        from: number;
        to: number;
        interval: {
          low: number;
          high: number;
        };
        runs: {
          before: number;
          after: number;
        };
        verdict: "better" | "worse" | "alike";
      } | null;
    };
  };
  "GET /logic/:agentId/versions": {
    params: { agentId: string };
    query: {};
    body: undefined;
    answer: {
      agentId: string;
      versions: ({
        version: string;
        current: boolean;
        meta: {
          agentId: string;
          logicVersion: string;
          activeSince: string;
          sourceProposal: string;
          runsOnThisVersion: number;
          successRate: number | null;
          avgTokensPerRun: number | null;
          optimizerLastAnalysis: string | null;
          optimizerRecommendation: string;
          schemaVersion: "1.0";
        } | null;
        entry: {
          version: string;
          date?: string;
          text: string;
          fields: { [name: string]: string };
        } | null;
      })[];
    };
  };
  "GET /logic/:agentId/changelog": {
    params: { agentId: string };
    query: {
      limit?: string;
    };
    body: undefined;
    answer: {
      agentId: string;
      entries: {
        version: string;
        date?: string;
        text: string;
        fields: { [name: string]: string };
      }[];
    };
  };
  "GET /logic/:agentId/versions/:version/rationale": {
    params: { agentId: string; version: string };
    query: {};
    body: undefined;
    answer: {
      agentId: string;
      version: string;
      text: string;
      problem?: string;
      change?: string;
      evidenceRuns?: string[];
      expectedImprovement?: string;
      riskAssessment?: string;
    };
  };
  "GET /logic/:agentId/heat": {
    params: { agentId: string };
    query: {
      version?: string;
      runs?: string;
      facts?: "true" | "false";
      by?: "visits" | "failures" | "tokens" | "time" | "rejected" | "bad";
    };
    body: undefined;
    answer: {
      agentId: string;
      logicVersion: string;
      pooledWith: string[];
      mainFile: string;
      runs: {
        fact: number;
        claim: number;
        unknown: number;
        unreadable: {
          run: string;
          why: Text;
        }[];
      };
      icons: ({
        diagram: string;
        icon: string;
        text: string;
        visits: number;
        claimed: number;
        runs: number;
        failures: number;
        calls: number;
        tokens: number;
        ms: number;
        proposals: {
          accepted: number;
          edited: number;
          rejected: number;
          reverted: number;
          open: number;
        };
        good: number;
        bad: number;
        branches: ({
          answer: boolean | number | null;
          visits: number;
          claimed: number;
          runs: number;
          failures: number;
          calls: number;
          tokens: number;
          ms: number;
          proposals: {
            accepted: number;
            edited: number;
            rejected: number;
            reverted: number;
            open: number;
          };
          good: number;
          bad: number;
        })[];
      })[];
      svg?: string;
    };
  };
  "POST /logic/:agentId/rollback": {
    params: { agentId: string };
    query: {};
    body: {
      toVersion: string;
      reason: string;
      evidenceRuns?: string[];
    };
    answer: Received;
  };
  "GET /memory/:agentId/read": {
    params: { agentId: string };
    query: {
      mode?: "basic" | "wide" | "deep" | "temporal";
      from?: string;
      to?: string;
    };
    body: undefined;
    answer: {
      agentId: string;
      commit: string;
      mode: "basic" | "wide" | "deep" | "temporal";
      version: number;
      values: { [name: string]: Json };
      parts: { [name: string]: string };
      tokens: number;
      limit: number;
      cut: string[];
    };
  };
  "GET /memory/:agentId/search": {
    params: { agentId: string };
    query: {
      q: string;
      limit?: string;
      deep?: "true" | "false";
    };
    body: undefined;
    answer: {
      agentId: string;
      commit: string;
      hits: ({
        file: string;
        section: string | null;
        text: string;
        id?: string;
        covers: number;
      })[];
      total: number;
      tokens: number;
    };
  };
  "GET /memory/:agentId/facts": {
    params: { agentId: string };
    query: {};
    body: undefined;
    answer: {
      agentId: string;
      commit: string;
      facts: ({
        id: string;
        text: string;
        section: string | null;
        since: string;
        commit: string;
        author: string;
        byHand: boolean;
        proposal: string | null;
        lastUsed: string | null;
        stale: boolean;
      })[];
    };
  };
  "GET /memory/:agentId/diff": {
    params: { agentId: string };
    query: {
      from: string;
      to?: string;
    };
    body: undefined;
    answer: {
      agentId: string;
      from: string | null;
      to: string;
      files: {
        file: string;
        added: number;
        removed: number;
      }[];
      diff: string;
    };
  };
  "GET /memory/:agentId/history": {
    params: { agentId: string };
    query: {
      limit?: string;
    };
    body: undefined;
    answer: {
      agentId: string;
      changes: ({
        commit: string;
        at: string;
        by: "proposal" | "hand" | "bookkeeping";
        author: string;
        subject: string;
        version: number;
        proposal: string | null;
        run: string | null;
        files: {
          file: string;
          added: number;
          removed: number;
        }[];
      })[];
    };
  };
  "GET /memory/:agentId/runs/:run": {
    params: { agentId: string; run: string };
    query: {};
    body: undefined;
    answer: {
      agentId: string;
      run: string;
      text: string;
      from: "git" | "store";
    };
  };
  "POST /memory/:agentId/propose": {
    params: { agentId: string };
    query: {};
    body: { [name: string]: Json };
    answer: Received;
  };
  "POST /memory/:agentId/snapshots": {
    params: { agentId: string };
    query: {};
    body: undefined;
    answer: {
      snapshot: string;
      agentId: string;
      commit: string;
      version: number;
      files: number;
    };
  };
  "GET /memory/:agentId/snapshots": {
    params: { agentId: string };
    query: {};
    body: undefined;
    answer: {
      agentId: string;
      snapshots: {
        id: string;
        commit: string;
        at: string;
        version: number;
        files: number;
        damaged: boolean;
      }[];
    };
  };
  "GET /memory/:agentId/snapshots/:snapshot": {
    params: { agentId: string; snapshot: string };
    query: {};
    body: undefined;
    answer: MemoryArchive;
  };
  "POST /memory/:agentId/restore": {
    params: { agentId: string };
    query: {};
    body: {
      from: string;
      reasoning?: string;
    };
    answer: Received;
  };
  "POST /agents/run": {
    params: {};
    query: {};
    body: {
      slug: string;
      input?: { [name: string]: Json };
    };
    answer: {
      run: {
        run_id: string;
        agent_slug: string;
        trigger: "manual" | "cron" | "event";
        cause?: string;
        by: string;
        requested_at: string;
        input?: Json;
        forked_from?: {
          run: string;
          step: number;
        };
      };
    };
  };
  "POST /agents/:slug/run": {
    params: { slug: string };
    query: {};
    body: {
      input?: { [name: string]: Json };
    };
    answer: {
      run: {
        run_id: string;
        agent_slug: string;
        trigger: "manual" | "cron" | "event";
        cause?: string;
        by: string;
        requested_at: string;
        input?: Json;
        forked_from?: {
          run: string;
          step: number;
        };
      };
    };
  };
  "GET /runs": {
    params: {};
    query: {
      after?: string;
      limit?: string;
      agent?: string;
      state?: "requested" | "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
    };
    body: undefined;
    answer: {
      runs: Run[];
      next?: string;
    };
  };
  "GET /runs/:run": {
    params: { run: string };
    query: {};
    body: undefined;
    answer: {
      run: Run;
      request: {
        run_id: string;
        agent_slug: string;
        trigger: "manual" | "cron" | "event";
        cause?: string;
        by: string;
        requested_at: string;
        input?: Json;
        forked_from?: {
          run: string;
          step: number;
        };
      } | null;
      manifest: RunManifest | null;
      cost: {
        amount: number;
        currency: string;
      } | null;
      steps: StepCard[];
      requests: {
        request: Request;
        answer?: Answer;
      }[];
    };
  };
  "GET /runs/:run/steps": {
    params: { run: string };
    query: {
      after?: string;
      limit?: string;
    };
    body: undefined;
    answer: {
      run: Run;
      steps: Step[];
      next?: string;
    };
  };
  "POST /runs/:run/cancel": {
    params: { run: string };
    query: {};
    body: {
      why?: string;
    };
    answer: {
      run: Run;
    };
  };
  "POST /runs/:run/fork": {
    params: { run: string };
    query: {};
    body: {
      at: number;
      set?: { [name: string]: Json };
    };
    answer: {
      run: {
        run_id: string;
        agent_slug: string;
        trigger: "manual" | "cron" | "event";
        cause?: string;
        by: string;
        requested_at: string;
        input?: Json;
        forked_from?: {
          run: string;
          step: number;
        };
      };
    };
  };
  "GET /requests": {
    params: {};
    query: {
      agent?: string;
    };
    body: undefined;
    answer: {
      requests: Request[];
    };
  };
  "POST /requests/:id/answer": {
    params: { id: string };
    query: {};
    body: {
      value: Json;
      note?: string;
    };
    answer: {
      request: Request;
      answer: Answer;
      repeated: boolean;
    };
  };
  "GET /agents": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      version: "1";
      updated_at: string;
      agents: ({
        slug: string;
        name: string;
        status: "draft" | "active" | "paused" | "error" | "archived";
        version: string;
        last_run: string | null;
        last_run_status: string | null;
        pending_proposals: number;
      })[];
    };
  };
  "GET /agents/list": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      version: "1";
      updated_at: string;
      agents: ({
        slug: string;
        name: string;
        status: "draft" | "active" | "paused" | "error" | "archived";
        version: string;
        last_run: string | null;
        last_run_status: string | null;
        pending_proposals: number;
      })[];
    };
  };
  "GET /agents/:slug": {
    params: { slug: string };
    query: {};
    body: undefined;
    answer: {
      slug: string;
      contract: { [name: string]: Json };
      body: string;
      hash: string;
      contract_hash: string;
    };
  };
  "GET /agents/:slug/contract": {
    params: { slug: string };
    query: {};
    body: undefined;
    answer: {
      slug: string;
      hash: string;
      text: string;
      status?: "draft" | "active" | "paused" | "error" | "archived";
      contract?: { [name: string]: Json };
      ready: boolean;
      checks: ({
        id: "exists" | "front-matter" | "slug" | "tools" | "safe-outputs" | "model" | "safe-output-tool" | "body" | "diagram" | "reachable" | "loops" | "tools-used" | "outputs-used" | "steps" | "drift";
        title: Text;
        result: "pass" | "warning" | "fail" | "skipped";
        words: Text;
      })[];
      problems: {
        line: number;
        field: string;
        found: Text;
        expected: Text;
        suggestion?: string;
      }[];
    };
  };
  "GET /agents/:slug/artifacts": {
    params: { slug: string };
    query: {};
    body: undefined;
    answer: {
      artifacts: {
        name: string;
        size: number;
      }[];
    };
  };
  "GET /agents/:slug/artifacts/:path": {
    params: { slug: string; path: string };
    query: {};
    body: undefined;
    answer: {
      name: string;
      size: number;
      hash: string;
      kind: "text" | "markdown" | "json" | "image" | "bytes";
      media: string;
      text?: string;
      base64?: string;
    };
  };
  "GET /agents/:slug/status": {
    params: { slug: string };
    query: {};
    body: undefined;
    answer: {
      slug: string;
      status: "draft" | "active" | "paused" | "error" | "archived";
      updated_at: string;
    };
  };
  "PATCH /agents/:slug/status": {
    params: { slug: string };
    query: {};
    body: {
      status: "draft" | "active" | "paused" | "error" | "archived";
      reason?: string;
    };
    answer: {
      slug: string;
      from: "draft" | "active" | "paused" | "error" | "archived";
      status: "draft" | "active" | "paused" | "error" | "archived";
      hash: string;
    };
  };
  "PATCH /agents/:slug/outputs": {
    params: { slug: string };
    query: {};
    body: {
      action: "propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge";
      allowed: boolean;
      reason?: string;
    };
    answer: {
      slug: string;
      safe_outputs: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge")[];
      changed: boolean;
    };
  };
  "GET /notes": {
    params: {};
    query: {
      after?: string;
      limit?: string;
    };
    body: undefined;
    answer: {
      commit: string;
      notes: {
        path: string;
        oid: string;
      }[];
      next?: string;
    };
  };
  "GET /notes/:path": {
    params: { path: string };
    query: {
      at?: string;
      history?: string;
    };
    body: undefined;
    answer: {
      path: string;
      commit: string;
      oid: string;
      text?: string;
      bytes: number;
      history?: {
        commit: string;
        at: string;
        author: string;
        subject: string;
        proposal?: string;
      }[];
      comments: {
        note: string;
        line?: number;
        text: string;
        by: string;
        at: string;
        proposal: string;
        note_hash: string;
      }[];
    };
  };
  "GET /folders": {
    params: {};
    query: {
      after?: string;
      limit?: string;
      folder?: string;
    };
    body: undefined;
    answer: {
      commit: string;
      folder: string;
      notes_root: string;
      notes: number;
      entries: ({
        kind: "folder" | "note";
        path: string;
        notes?: number;
        title?: string;
      })[];
      next?: string;
    };
  };
  "GET /search": {
    params: {};
    query: {
      q: string;
      limit?: string;
    };
    body: undefined;
    answer: {
      commit: string;
      total: number;
      hits: {
        path: string;
        title: string;
        tags: string[];
        words: number;
        quote: string;
      }[];
      reading?: {
        done: number;
        total: number;
      };
    };
  };
  "GET /links/:path": {
    params: { path: string };
    query: {};
    body: undefined;
    answer: {
      commit: string;
      links: ({
        target: string;
        kind: "path" | "name";
        to?: string;
      })[];
      backlinks: {
        path: string;
        title: string;
        line: number;
        text: string;
      }[];
      more: boolean;
      reading?: {
        done: number;
        total: number;
      };
    };
  };
  "GET /lines/:path": {
    params: { path: string };
    query: {
      first?: string;
      limit?: string;
    };
    body: undefined;
    answer: {
      commit: string;
      parts: {
        first: number;
        last: number;
        commit: string;
        at: string;
        author: string;
        subject: string;
        proposal?: string;
        run?: string;
      }[];
      next?: number;
    };
  };
  "POST /ask": {
    params: {};
    query: {};
    body: {
      question: string;
      note?: string;
    };
    answer: {
      commit: string;
      answer?: string;
      references: {
        citation_number: number;
        source_title: string;
        cited_text: string;
        path?: string;
        line?: number;
      }[];
      reading?: {
        done: number;
        total: number;
      };
    };
  };
  "GET /audit": {
    params: {};
    query: {
      after?: string;
      limit?: string;
      last?: "true" | "false";
    };
    body: undefined;
    answer: {
      records: ({
        key: string;
        record: {
          kind: "refused" | "proposed" | "decided" | "applied" | "apply-failed" | "agent-created" | "agent-status" | "agent-outputs" | "agent-deleted" | "signed-in" | "sign-in-refused" | "token-made" | "token-revoked" | "settings-changed" | "memory-edited" | "body-replaced" | "run-recorded" | "run-forked" | "answered" | "run-requested" | "run-held" | "run-cancel-asked" | "run-finished" | "slots-skipped" | "event-dropped";
          at: string;
          by: string;
          subject: string;
          why?: string;
          details: { [name: string]: Json };
        };
      })[];
      next?: string;
      left_out?: true;
    };
  };
  "GET /audit/why": {
    params: {};
    query: {
      subject: string;
    };
    body: undefined;
    answer: {
      subject: {
        kind: string;
        asked: string;
        id: string;
      };
      links: ({
        kind: string;
        id: string;
        where: string;
        direction: "subject" | "because" | "led-to";
        depth: number;
        what: Text;
        at?: string;
        by?: string;
        remarks: Text[];
        problems: Text[];
      })[];
      missing: {
        link: string;
        id: string;
        where: string;
        why: Text;
      }[];
    };
  };
  "POST /events": {
    params: {};
    query: {};
    body: {
      name: string;
      id?: string;
      subject?: string;
      payload?: Json;
    };
    answer: {
      event: {
        name: string;
        id: string;
        at: string;
        subject: string;
      };
    };
  };
  "GET /settings/rules": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      base: string;
      items: ({
        source: "owner" | "agent" | "webhook" | "guest";
        identity?: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
        folder?: string;
      })[];
    };
  };
  "PUT /settings/rules": {
    params: {};
    query: {};
    body: {
      base: string;
      items: ({
        source: "owner" | "agent" | "webhook" | "guest";
        identity?: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
        folder?: string;
      })[];
    };
    answer: {
      base: string;
      items: ({
        source: "owner" | "agent" | "webhook" | "guest";
        identity?: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
        folder?: string;
      })[];
      commit?: string;
    };
  };
  "GET /settings/zones": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      base: string;
      items: ({
        name: string;
        folders: string[];
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
        expires?: string;
      })[];
    };
  };
  "PUT /settings/zones": {
    params: {};
    query: {};
    body: {
      base: string;
      items: ({
        name: string;
        folders: string[];
        actions?: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
        expires?: string;
      })[];
    };
    answer: {
      base: string;
      items: ({
        name: string;
        folders: string[];
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
        expires?: string;
      })[];
      commit?: string;
    };
  };
  "GET /settings/webhooks": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      base: string;
      items: ({
        name: string;
        secret_env: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
      })[];
    };
  };
  "PUT /settings/webhooks": {
    params: {};
    query: {};
    body: {
      base: string;
      items: ({
        name: string;
        secret_env: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
      })[];
    };
    answer: {
      base: string;
      items: ({
        name: string;
        secret_env: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update")[];
      })[];
      commit?: string;
    };
  };
  "GET /settings/grants": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      base: string;
      items: ({
        agent: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge")[];
        on: string[];
      })[];
    };
  };
  "PUT /settings/grants": {
    params: {};
    query: {};
    body: {
      base: string;
      items: ({
        agent: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge")[];
        on: string[];
      })[];
    };
    answer: {
      base: string;
      items: ({
        agent: string;
        actions: ("propose-note" | "propose-edit" | "propose-tag" | "propose-comment" | "propose-summary" | "propose-artifact" | "memory-update" | "logic-update" | "logic-rollback" | "propose-merge")[];
        on: string[];
      })[];
      commit?: string;
    };
  };
  "GET /tokens": {
    params: {};
    query: {};
    body: undefined;
    answer: {
      tokens: ({
        id: string;
        kind: "owner" | "session" | "agent" | "guest";
        name: string;
        run?: string;
        made_at: string;
        expires_at: string;
        revoked_at?: string;
      })[];
    };
  };
  "POST /tokens": {
    params: {};
    query: {};
    body: {
      kind: "owner";
      name: string;
      days?: number;
    } | {
      kind: "guest";
      zone: string;
      days?: number;
    };
    answer: {
      id: string;
      token: string;
      expires_at: string;
    };
  };
  "DELETE /tokens/:id": {
    params: { id: string };
    query: {};
    body: undefined;
    answer: {
      id: string;
      kind: "owner" | "session" | "agent" | "guest";
      name: string;
      run?: string;
      made_at: string;
      expires_at: string;
      revoked_at?: string;
    };
  };
}
