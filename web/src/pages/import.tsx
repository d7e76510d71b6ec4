import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { call, type RequestOf } from "../api/client.ts";
import { invalidate } from "../api/queries.ts";
import { Button } from "../components/form.tsx";
import { Failed } from "../components/query-result.tsx";
import { Segments } from "../components/segments.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { DropZone } from "./import/drop-zone.tsx";
import type { ImportFile } from "./import/dropped-files.ts";
import { ImportReportView, Verdict } from "./import/import-report.tsx";
import { KvPanel } from "./import/kv-import.tsx";
import { type FileReport, lineFates } from "./import/line-fates.ts";
import { SourceLines } from "./import/source-lines.tsx";
import "../style/import.css";

type Format = RequestOf<"POST /imports/check">["body"]["format"];
type Choice = Format | "kv";
const choices: readonly Choice[] = ["gh-aw", "skill", "subagent", "agents-md", "kv"];

/** Files of another product: dropped or chosen, then the report, then the drafts that the owner confirms (I-1, I-4). */
export function ImportPage() {
  const t = useT();
  const { language } = usePreferences();
  const [choice, setChoice] = useState<Choice>("gh-aw");
  const check = useMutation({
    mutationFn: async (files: readonly ImportFile[]) => {
      const body = { format: choice as Format, files: [...files], language, rename: true };
      return { body, ...(await call("POST /imports/check", { body })) };
    },
  });
  const take = async (files: Promise<ImportFile[]>): Promise<void> => {
    const found = await files;
    if (found.length > 0) check.mutate(found);
  };
  return (
    <>
      <TopBar icon={FileUp} crumbs={[{ name: t(words.agents), to: "/agents" }]} title={t(words.title)}>
        {check.data && <span className="meta">{t(words.nothing)}</span>}
        <Segments
          label={t(words.format)}
          value={choice}
          options={choices.map((value) => ({ value, name: t(words[value]) }))}
          onChoose={(value) => {
            check.reset();
            setChoice(value);
          }}
        />
      </TopBar>
      <h1 className="hidden-visually">{t(words.title)}</h1>
      {choice === "kv" ? (
        <KvPanel />
      ) : check.data ? (
        <Reports found={check.data} cancel={() => check.reset()} />
      ) : (
        <div className="page stack">
          <p className="quiet">{t(words.lede)}</p>
          <DropZone
            title={t(words.drop)}
            hint={t(hints[choice])}
            hasFolder
            isBusy={check.isPending}
            onFiles={(files) => void take(files)}
          />
          {check.error && <Failed error={check.error} />}
        </div>
      )}
    </>
  );
}

interface Checked {
  readonly body: RequestOf<"POST /imports/check">["body"];
  readonly digest: string;
  readonly reports: readonly FileReport[];
}

/** The report of one file beside its source; several files have a list to choose from. */
function Reports({ found, cancel }: { readonly found: Checked; readonly cancel: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { reports } = found;
  const [chosen, setChosen] = useState(reports[0]?.file);
  const create = useMutation({
    mutationFn: () => call("POST /imports", { body: { ...found.body, digest: found.digest } }),
    onSuccess: async ({ created }) => {
      await invalidate(client, "/agents");
      const [only] = created;
      await (created.length === 1 && only !== undefined
        ? navigate({ to: "/agents/$slug", params: { slug: only }, search: { tab: "contract" } })
        : navigate({ to: "/agents" }));
    },
  });
  const report = reports.find(({ file }) => file === chosen);
  const drafts = reports.filter(({ outcome }) => outcome === "agent").length;
  if (!report)
    return (
      <div className="page stack">
        <p>{t(words.none)}</p>
        <Button onClick={cancel}>{t(words.again)}</Button>
      </div>
    );
  const file = found.body.files.find(({ path }) => path === report.file);
  const lines = lineFates(file && "text" in file ? file.text : "", report);
  return (
    <div className={`bleed import-work${reports.length > 1 ? " many" : ""}`}>
      <Verdict report={report} lines={lines} />
      {reports.length > 1 && <Files reports={reports} chosen={report.file} choose={setChosen} />}
      <SourceLines file={report.file} lines={lines} />
      <ImportReportView report={report} />
      <div className="import-decide">
        <div className="grow">
          <strong className="cut">{outcomeOf(report, t)}</strong>
          <div className="meta cut">{report.icons > 0 ? t(words.drawn, report.icons) : t(words.prose)}</div>
          {create.error && <Failed error={create.error} />}
        </div>
        <Button tone="ghost" onClick={cancel}>
          {t(words.cancel)}
        </Button>
        <Button tone="primary" disabled={drafts === 0 || create.isPending} onClick={() => create.mutate()}>
          {t(words.create, drafts)}
        </Button>
      </div>
    </div>
  );
}

function Files(props: {
  readonly reports: readonly FileReport[];
  readonly chosen: string;
  readonly choose: (file: string) => void;
}) {
  const t = useT();
  return (
    <ul className="import-files" aria-label={t(words.files)}>
      {props.reports.map((report) => (
        <li key={report.file}>
          <button type="button" aria-current={report.file === props.chosen} onClick={() => props.choose(report.file)}>
            <span className="mono">{report.file}</span>
            <span className="meta">{outcomeOf(report, t)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function outcomeOf({ outcome, slug = "", free_slug = "" }: FileReport, t: ReturnType<typeof useT>): string {
  if (outcome === "agent") return t(words.draft, slug);
  return outcome === "clash" ? t(words.clash, slug, free_slug) : t(words[outcome]);
}

const hints = {
  "gh-aw": {
    en: "Workflow files (.github/workflows/*.md), or a folder with all they include",
    uk: "Файли процесів (.github/workflows/*.md) або тека з усім, що вони приєднують",
  },
  skill: {
    en: "A folder with a SKILL.md; scripts are kept and never executed",
    uk: "Тека із SKILL.md; скрипти зберігаються й не виконуються",
  },
  subagent: { en: "Files of .claude/agents", uk: "Файли з .claude/agents" },
  "agents-md": { en: "AGENTS.md or CLAUDE.md", uk: "AGENTS.md або CLAUDE.md" },
} as const satisfies Record<Format, Text>;

const words = {
  title: { en: "Import", uk: "Імпорт" },
  agents: { en: "Agents", uk: "Агенти" },
  lede: {
    en: "Agents of other products come in as drafts that may do less than before. You see what becomes of every line first.",
    uk: "Агенти інших продуктів стають чернетками, яким дозволено менше, ніж раніше. Спершу видно, що стане з кожним рядком.",
  },
  format: { en: "Format", uk: "Формат" },
  "gh-aw": { en: "gh-aw workflow", uk: "Процес gh-aw" },
  skill: { en: "Skill", uk: "Навичка" },
  subagent: { en: "Subagent", uk: "Субагент" },
  "agents-md": { en: "AGENTS.md", uk: "AGENTS.md" },
  kv: { en: "Earlier system", uk: "Попередня система" },
  drop: { en: "Drop files or a folder here", uk: "Перетягніть сюди файли чи теку" },
  files: { en: "Files", uk: "Файли" },
  nothing: { en: "Nothing has been created yet", uk: "Ще нічого не створено" },
  none: { en: "None of these files describes an agent.", uk: "Жоден із цих файлів не описує агента." },
  again: { en: "Choose other files", uk: "Вибрати інші файли" },
  draft: { en: "{}, a draft", uk: "{}, чернетка" },
  clash: { en: "the name {} is in use; {} is free", uk: "назву {} зайнято; вільна {}" },
  component: { en: "a part that others include", uk: "частина, яку приєднують інші" },
  refused: { en: "refused", uk: "відмовлено" },
  drawn: {
    en: "A first diagram of {} [icon|icons], to be checked · does not run yet",
    uk: "Перша діаграма з {} [ікони|ікон|ікон], яку треба перевірити · ще не працює",
  },
  prose: { en: "Instructions in prose · does not run yet", uk: "Вказівки текстом · ще не працює" },
  cancel: { en: "Cancel", uk: "Скасувати" },
  create: { en: "Create {} [draft|drafts]", uk: "Створити {} [чернетку|чернетки|чернеток]" },
} as const satisfies Record<string, Text>;
