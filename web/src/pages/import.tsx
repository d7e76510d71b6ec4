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
import { chosenFiles, droppedFiles, type ImportFile } from "./import/dropped-files.ts";
import { ImportReportView } from "./import/import-report.tsx";
import "../style/agents.css";

type Format = RequestOf<"POST /imports/check">["body"]["format"];
const formats: readonly Format[] = ["gh-aw", "skill", "subagent", "agents-md"];

/** Files of another product: dropped or chosen, then the report, then the drafts that the owner confirms (I-1). */
export function ImportPage() {
  const t = useT();
  const { language } = usePreferences();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [format, setFormat] = useState<Format>("gh-aw");
  const check = useMutation({
    mutationFn: async (files: readonly ImportFile[]) => {
      const body = { format, files: [...files], language, rename: true };
      return { body, ...(await call("POST /imports/check", { body })) };
    },
  });
  const create = useMutation({
    mutationFn: ({ body, digest }: NonNullable<typeof check.data>) =>
      call("POST /imports", { body: { ...body, digest } }),
    onSuccess: async ({ created }) => {
      await invalidate(client, "/agents");
      const [only] = created;
      await (created.length === 1 && only !== undefined
        ? navigate({ to: "/agents/$slug", params: { slug: only }, search: { tab: "contract" } })
        : navigate({ to: "/agents" }));
    },
  });
  const take = (files: Promise<ImportFile[]>): void => {
    void files.then((found) => found.length > 0 && check.mutate(found));
  };
  const found = check.data;
  const drafts = found?.reports.filter(({ outcome }) => outcome === "agent").length ?? 0;
  return (
    <>
      <TopBar icon={FileUp} crumbs={[{ name: t(words.agents), to: "/agents" }]} title={t(words.title)} />
      <div className="page stack">
        <p className="quiet">{t(words.lede)}</p>
        <Segments
          label={t(words.format)}
          value={format}
          options={formats.map((value) => ({ value, name: t(words[value]) }))}
          onChoose={setFormat}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields inside do the same by keyboard */}
        <div
          className="card stack"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            take(droppedFiles(event.dataTransfer));
          }}
        >
          <p>{t(words.drop)}</p>
          <label className="labelled">
            <span>{t(words.files)}</span>
            <input
              className="field"
              type="file"
              multiple
              onChange={({ target }) => target.files && take(chosenFiles(target.files))}
            />
          </label>
          <label className="labelled">
            <span>{t(words.folder)}</span>
            <input
              className="field"
              type="file"
              ref={(field) => field?.setAttribute("webkitdirectory", "")}
              onChange={({ target }) => target.files && take(chosenFiles(target.files))}
            />
          </label>
        </div>
        {check.error && <Failed error={check.error} />}
        {create.error && <Failed error={create.error} />}
        {found && (
          <>
            <div className="row between wrap" role="status">
              <strong>{t(words.nothing)}</strong>
              <Button tone="primary" disabled={drafts === 0 || create.isPending} onClick={() => create.mutate(found)}>
                {t(words.create, drafts)}
              </Button>
            </div>
            {found.reports.map((report) => (
              <ImportReportView key={report.file} report={report} />
            ))}
          </>
        )}
      </div>
    </>
  );
}

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
  drop: { en: "Drop files or a folder here, or choose them:", uk: "Перетягніть сюди файли чи теку або виберіть їх:" },
  files: { en: "Files", uk: "Файли" },
  folder: { en: "A folder", uk: "Тека" },
  nothing: { en: "Nothing has been created yet", uk: "Ще нічого не створено" },
  create: { en: "Create {} [draft|drafts]", uk: "Створити {} [чернетку|чернетки|чернеток]" },
} as const satisfies Record<string, Text>;
