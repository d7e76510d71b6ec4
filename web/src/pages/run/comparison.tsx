import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AnswerOf, call } from "../../api/client.ts";
import type { JsonValue, RunEnding } from "../../api/endpoints.gen.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Diff } from "../../components/diff.tsx";
import { Button } from "../../components/form.tsx";
import { ProposalLink, RunLink } from "../../components/links.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { StateTag } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import "../../style/comparison.css";

/** S-7: an experiment and the run that it was forked from, side by side; read again while one of them goes on. */
export function Comparison({ origin, run }: { readonly origin: string; readonly run: string }) {
  const t = useT();
  const read = useQuery({
    ...query("GET /runs/:run/compare", { params: { run: origin }, query: { with: run } }),
    refetchInterval: ({ state: { data } }) =>
      data?.ends.some(({ state }) => GOING_ON.includes(state)) === true && POLL_MS,
  });
  return (
    <section className="comparison" aria-labelledby="comparison">
      <QueryResult of={read}>
        {({ ends, shared, files }) => (
          <>
            <div className="row between">
              <h2 id="comparison">{t(words.title)}</h2>
              <span className="meta">{t(words.shared, shared)}</span>
            </div>
            <div className="comparison-ends">
              {ends.map((end) => (
                <Ending key={end.run} end={end} isHere={end.run === run} />
              ))}
            </div>
            {files && files.length > 0 && <FilesThatDiffer files={files} />}
          </>
        )}
      </QueryResult>
    </section>
  );
}

const POLL_MS = 2000;
const GOING_ON: readonly string[] = ["requested", "queued", "running"] satisfies readonly RunEnding["state"][];

/** True for the id of something that an experiment would have proposed. */
export const isSandboxed = (id: string): boolean => id.startsWith("sand_");

type Compared = AnswerOf<"GET /runs/:run/compare">;

function FilesThatDiffer({ files }: { readonly files: NonNullable<Compared["files"]> }) {
  const t = useT();
  return (
    <ul className="comparison-files" aria-label={t(words.files)}>
      {files.map(({ path, change }) => (
        <li key={path} className="row small">
          <code className="break">{path}</code> <span className="meta">{t(words[change])}</span>
        </li>
      ))}
    </ul>
  );
}

/** How one of the two ended. The page's own run needs no link to itself. */
function Ending({ end, isHere }: { readonly end: RunEnding; readonly isHere: boolean }) {
  const t = useT();
  const name = t(end.is_experiment ? words.experiment : words.run);
  return (
    <article className="ending">
      <div className="row between">
        <h3>{isHere ? name : <RunLink run={end.run}>{name}</RunLink>}</h3>
        <StateTag kind="run" state={end.state} />
      </div>
      {end.answers.map(({ request, question, value }) => (
        <div key={request}>
          <p className="meta break">{question.split("\n", 1)[0]}</p>
          <p className="ending-answer break">{value === null ? t(words.open) : said(value)}</p>
        </div>
      ))}
      {end.result !== null && (
        <p>
          <span className="meta">{t(words.result)}</span> <code className="break">{said(end.result)}</code>
        </p>
      )}
      {end.error !== null && <p className="failure break">{end.error}</p>}
      {end.proposals.length === 0 && !GOING_ON.includes(end.state) && <p className="meta">{t(words.nothing)}</p>}
      {end.proposals.map((proposal) =>
        isSandboxed(proposal.id) ? (
          <Sandboxed key={proposal.id} {...proposal} />
        ) : (
          <Proposed key={proposal.id} {...proposal} />
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

type EndProposal = RunEnding["proposals"][number];

/** A proposal that the run really made, with its change. */
function Proposed({ id, summary, status }: EndProposal) {
  return (
    <div className="ending-proposal">
      <div className="row between">
        <ProposalLink id={id}>{summary}</ProposalLink>
        <StateTag kind="proposal" state={status} />
      </div>
      <ProposedChange id={id} />
    </div>
  );
}

function ProposedChange({ id }: { readonly id: string }) {
  const review = useQuery(query("GET /proposals/:id", { params: { id } })).data?.review;
  return review ? <ChangeOf {...review} /> : null;
}

/** A proposal that an experiment would have made: its change, and the owner's decision on it. */
function Sandboxed({ id, summary, status }: EndProposal) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const read = useQuery(query("GET /sandbox/:id", { params: { id } })).data;
  const after = (word: Text) => ({
    onSuccess: () => {
      toast(t(word));
      return invalidate(client, "/sandbox", "/runs", "/proposals");
    },
    // Another window may have decided first.
    onError: () => void invalidate(client, "/sandbox", "/runs"),
  });
  const promote = useMutation({
    mutationFn: () => call("POST /sandbox/:id/promote", { params: { id } }),
    ...after(words.isPromoted),
  });
  const discard = useMutation({
    mutationFn: () => call("POST /sandbox/:id/discard", { params: { id } }),
    ...after(words.isDiscarded),
  });
  const error = promote.error ?? discard.error;
  const isPending = promote.isPending || discard.isPending;
  const made = read?.end?.proposal;
  return (
    <div className="ending-proposal">
      <div className="row between">
        <span>{made === undefined ? summary : <ProposalLink id={made}>{summary}</ProposalLink>}</span>
        <span className="chip">{t(STATUS[status] ?? words.sandbox)}</span>
      </div>
      {made !== undefined && <ProposedChange id={made} />}
      {read && made === undefined && (
        <ChangeOf {...read.effect} refusal={status === "sandbox" ? read.effect.refusal : undefined} />
      )}
      {error && <MutationError error={error} fate="repeat" />}
      {status === "sandbox" && (
        <div className="row">
          <Button tone="primary small" disabled={isPending} onClick={() => promote.mutate()}>
            {t(words.promote)}
          </Button>
          <Button tone="small" disabled={isPending} onClick={() => discard.mutate()}>
            {t(words.discard)}
          </Button>
        </div>
      )}
    </div>
  );
}

interface Change {
  readonly files: readonly { readonly path: string; readonly patch: string }[];
  readonly sentences: readonly Text[];
  readonly refusal?: Text | { readonly text: Text } | undefined;
}

/** Files of a change that are shown here; the proposal's page has all. */
const SHOWN_FILES = 4;

function ChangeOf({ files, sentences, refusal }: Change) {
  const t = useT();
  return (
    <>
      {refusal && <p className="failure">{t("text" in refusal ? refusal.text : refusal)}</p>}
      {sentences.map((sentence) => (
        <p key={sentence.en}>{t(sentence)}</p>
      ))}
      {files.slice(0, SHOWN_FILES).map(({ path, patch }) => (
        <figure key={path}>
          <figcaption className="meta break">{path}</figcaption>
          <Diff patch={patch} />
        </figure>
      ))}
      {files.length > SHOWN_FILES && <p className="meta">{t(words.more, files.length - SHOWN_FILES)}</p>}
    </>
  );
}

const words = {
  title: { en: "Both ends", uk: "Обидва кінці" },
  shared: { en: "{} [step|steps] in common", uk: "{} [спільний крок|спільні кроки|спільних кроків]" },
  run: { en: "As it was", uk: "Як було" },
  experiment: { en: "Experiment", uk: "Експеримент" },
  result: { en: "Result", uk: "Результат" },
  files: { en: "Files that differ", uk: "Різні файли" },
  open: { en: "no answer yet", uk: "ще без відповіді" },
  more: { en: "{} more [file|files]", uk: "ще {} [файл|файли|файлів]" },
  sandbox: { en: "sandbox", uk: "пісочниця" },
  isPromoted: { en: "Proposed. It waits in Review.", uk: "Запропоновано. Пропозиція чекає в перегляді." },
  isDiscarded: { en: "Discarded.", uk: "Відкинуто." },
  nothing: { en: "Proposed nothing", uk: "Нічого не запропонував" },
  promote: { en: "Propose it for real", uk: "Запропонувати справді" },
  discard: { en: "Discard", uk: "Відкинути" },
  promoted: { en: "proposed for real", uk: "запропоновано справді" },
  discarded: { en: "discarded", uk: "відкинуто" },
  changed: { en: "differs", uk: "різний" },
  "only-first": { en: "only as it was", uk: "лише як було" },
  "only-second": { en: "only in the experiment", uk: "лише в експерименті" },
} as const satisfies Record<string, Text>;

/** Words for the decision on an entry of the sandbox. */
const STATUS: Readonly<Record<string, Text>> = { promoted: words.promoted, discarded: words.discarded };
