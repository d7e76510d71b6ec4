import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play, Workflow } from "lucide-react";
import { useState } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FLOWER_PX, Flower } from "../../components/flower.tsx";
import { Button, TextField } from "../../components/form.tsx";
import { Failed, QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { scheduleText } from "../../i18n/schedule.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { useFreeSlug } from "./free-slug.ts";
import type { Template } from "./template-card.tsx";

/** The selected template: its name here, its needs, and the two ways to begin. */
export function ChosenTemplate({ template }: { readonly template: Template }) {
  const t = useT();
  const { language } = usePreferences();
  const free = useFreeSlug(template.id);
  const [typed, setTyped] = useState<string>();
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({});
  const [showsDiagram, setShowsDiagram] = useState(false);
  const slug = (typed ?? free).trim();
  const parameters = template.parameters[language];
  const create = useCreate(template, slug, given);
  const isIncomplete = slug === "" || parameters.some((name) => (given[name] ?? "").trim() === "");
  return (
    <section className="chosen-template" aria-label={t(template.name)}>
      <Flower of={slug} size={FLOWER_PX.head} look="draft" />
      <div className="stack tight grow">
        <h2>{t(template.name)}</h2>
        <p className="meta">
          {template.cron === undefined ? t(words.whenAsked) : scheduleText(template.cron, language)}
          {template.needs && <span className="template-needs"> · {t(template.needs)}</span>}
        </p>
        <div className="chosen-fields">
          <TextField label={t(words.slug)} value={typed ?? free} maxLength={63} autoComplete="off" onText={setTyped} />
          {parameters.map((name) => (
            <TextField
              key={name}
              label={name}
              value={given[name] ?? ""}
              onText={(text) => setGiven((before) => ({ ...before, [name]: text }))}
            />
          ))}
        </div>
        {create.error && <Failed error={create.error} />}
      </div>
      <div className="chosen-actions">
        <Button tone="ghost" onClick={() => setShowsDiagram(true)}>
          <Workflow size={15} aria-hidden="true" />
          {t(words.diagram)}
        </Button>
        <Button disabled={slug === "" || create.isPending} onClick={() => create.mutate("draft")}>
          {t(words.draft)}
        </Button>
        <Button tone="primary" disabled={isIncomplete || create.isPending} onClick={() => create.mutate("run")}>
          <Play size={15} aria-hidden="true" />
          {t(words.run)}
        </Button>
      </div>
      {showsDiagram && <TemplateDiagram template={template} onClose={() => setShowsDiagram(false)} />}
    </section>
  );
}

/** Creates the draft and, if wanted, activates and runs it. A draft that cannot be activated is opened, with the reason. */
function useCreate(template: Template, slug: string, given: Readonly<Record<string, string>>) {
  const t = useT();
  const toast = useToast();
  const { language } = usePreferences();
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (how: "draft" | "run") => {
      await call("POST /agents", { body: { slug, language, from: { kind: "template", template: template.id } } });
      if (how === "draft") return undefined;
      try {
        await call("PATCH /agents/:slug/status", { params: { slug }, body: { status: "active" } });
        const input = Object.fromEntries(template.parameters[language].map((name) => [name, given[name] ?? ""]));
        const body = Object.keys(input).length === 0 ? {} : { input };
        return await call("POST /agents/:slug/run", { params: { slug }, body });
      } catch (error) {
        toast(t(words.notRun, (error as Error).message));
        return undefined;
      }
    },
    onSuccess: async (started) => {
      await invalidate(client, "/agents", "/runs");
      if (started) await navigate({ to: "/runs/$run", params: { run: started.run.run_id } });
      else await navigate({ to: "/agents/$slug", params: { slug }, search: { tab: "contract" } });
    },
  });
}

function TemplateDiagram({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const t = useT();
  const { language } = usePreferences();
  const seen = useQuery(query("GET /agent-templates/:id", { params: { id: template.id }, query: { language } }));
  return (
    <Dialog title={t(template.name)} onClose={onClose}>
      <QueryResult of={seen}>
        {({ diagram }) => <DiagramPicture diagram={readDiagram(diagram).diagram} name={t(template.name)} />}
      </QueryResult>
      <p>
        <Button onClick={onClose}>{t(words.close)}</Button>
      </p>
    </Dialog>
  );
}

const words = {
  slug: { en: "Name in files", uk: "Назва у файлах" },
  whenAsked: { en: "Runs when you ask", uk: "Запускається, коли ви попросите" },
  diagram: { en: "See its diagram", uk: "Показати діаграму" },
  draft: { en: "Create draft", uk: "Створити чернетку" },
  run: { en: "Create, activate and run", uk: "Створити, активувати й запустити" },
  notRun: { en: "Created as a draft, not run: {}", uk: "Створено чернетку, але не запущено: {}" },
  close: { en: "Close", uk: "Закрити" },
} as const satisfies Record<string, Text>;
