import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { JsonValue, RunEnding } from "../../api/endpoints.gen.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Diff } from "../../components/diff.tsx";
import { Button } from "../../components/form.tsx";
import { ProposalLink, RunLink } from "../../components/links.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { StateTag } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import "../../style/comparison.css";

/** S-7: an experiment and the run that it was forked from, side by side. */
export function Comparison({ origin, run }: { readonly origin: string; readonly run: string }) {
  const t = useT();
  const read = useQuery(query("GET /runs/:run/compare", { params: { run: origin }, query: { with: run } }));
  if (!read.data) return null;
  const { ends, shared, files } = read.data;
  return (
    <section className="comparison" aria-labelledby="comparison">
      <h2 id="comparison">{t(words.title)}</h2>
      <p className="meta">{t(words.shared, shared)}</p>
      <div className="comparison-ends">
        {ends.map((end) => (
          <Ending key={end.run} end={end} />
        ))}
      </div>
      {files && files.length > 0 && (
        <ul className="plain-list">
          {files.map(({ path, change }) => (
            <li key={path} className="row small">
              <code className="break">{path}</code> <span className="meta">{t(words[change])}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Ending({ end }: { readonly end: RunEnding }) {
  const t = useT();
  return (
    <article className="stack tight">
      <h3 className="row">
        <StateTag kind="run" state={end.state} />
        <RunLink run={end.run}>{t(end.is_experiment ? words.experiment : words.run)}</RunLink>
      </h3>
      {end.answers.map(({ request, question, value }) => (
        <p key={request}>
          <span className="meta break">{question.split("\n", 1)[0]}</span>
          <br />
          <strong className="serif break">{value === null ? "…" : said(value)}</strong>
        </p>
      ))}
      {end.result !== null && (
        <p>
          <span className="meta">{t(words.result)}</span> <code className="break">{said(end.result)}</code>
        </p>
      )}
      {end.error !== null && <p className="failure break">{end.error}</p>}
      {end.proposals.length === 0 && <p className="meta">{t(words.nothing)}</p>}
      {end.proposals.map((proposal) =>
        proposal.id.startsWith("sand_") ? (
          <Sandboxed key={proposal.id} {...proposal} />
        ) : (
          <p key={proposal.id} className="row">
            <ProposalLink id={proposal.id}>{proposal.summary}</ProposalLink>
          </p>
        ),
      )}
    </article>
  );
}

const said = (value: JsonValue): string => {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.every((part) => typeof part !== "object") ? parts.map(String).join(", ") : JSON.stringify(value);
};

/** A proposal that an experiment would have made: its change, and the owner's decision on it. */
function Sandboxed({ id, summary, status }: RunEnding["proposals"][number]) {
  const t = useT();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const after = { onSuccess: () => invalidate(client, "/sandbox", "/runs", "/proposals") };
  const promote = useMutation({ mutationFn: () => call("POST /sandbox/:id/promote", { params: { id } }), ...after });
  const discard = useMutation({ mutationFn: () => call("POST /sandbox/:id/discard", { params: { id } }), ...after });
  const error = promote.error ?? discard.error;
  return (
    <div className="sandboxed">
      <button type="button" className="plain-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {summary}
      </button>
      {isOpen && <SandboxedChange id={id} />}
      {error && <MutationError error={error} fate="repeat" />}
      {status === "sandbox" ? (
        <div className="row">
          <Button disabled={promote.isPending} onClick={() => promote.mutate()}>
            {t(words.promote)}
          </Button>
          <Button disabled={discard.isPending} onClick={() => discard.mutate()}>
            {t(words.discard)}
          </Button>
        </div>
      ) : (
        <p className="meta">{t(status === "promoted" ? words.promoted : words.discarded)}</p>
      )}
    </div>
  );
}

function SandboxedChange({ id }: { readonly id: string }) {
  const t = useT();
  const read = useQuery(query("GET /sandbox/:id", { params: { id } })).data;
  if (!read) return null;
  const { effect } = read;
  return (
    <>
      {effect.refusal && <p className="failure">{t(effect.refusal)}</p>}
      {effect.sentences.map((sentence) => (
        <p key={sentence.en}>{t(sentence)}</p>
      ))}
      {effect.files.map(({ path, patch }) => (
        <figure key={path}>
          <figcaption className="meta break">{path}</figcaption>
          <Diff patch={patch} />
        </figure>
      ))}
    </>
  );
}

const words = {
  title: { en: "Both ends", uk: "Обидва кінці" },
  shared: { en: "{} [step|steps] in common", uk: "{} [спільний крок|спільні кроки|спільних кроків]" },
  run: { en: "As it was", uk: "Як було" },
  experiment: { en: "Experiment", uk: "Експеримент" },
  result: { en: "Result", uk: "Результат" },
  nothing: { en: "Proposed nothing", uk: "Нічого не запропонував" },
  promote: { en: "Propose it for real", uk: "Запропонувати справді" },
  discard: { en: "Discard", uk: "Відкинути" },
  promoted: { en: "proposed for real", uk: "запропоновано справді" },
  discarded: { en: "discarded", uk: "відкинуто" },
  changed: { en: "differs", uk: "різний" },
  "only-first": { en: "only as it was", uk: "лише як було" },
  "only-second": { en: "only in the experiment", uk: "лише в експерименті" },
} as const satisfies Record<string, Text>;
