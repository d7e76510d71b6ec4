import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileUp, Flower2, Import, PencilRuler, ScrollText, Sparkles } from "lucide-react";
import { useState } from "react";
import { flowerHues } from "../../../src/domain/flower.ts";
import { query } from "../api/queries.ts";
import { Button, Form } from "../components/form.tsx";
import { QueryResult } from "../components/query-result.tsx";
import { Segments } from "../components/segments.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { ChosenTemplate } from "./agents/chosen-template.tsx";
import { NewAgentDialog, type NewAgentWay } from "./agents/new-agent-dialog.tsx";
import { type Template, TemplateCard } from "./agents/template-card.tsx";
import "../style/agents.css";

/** A new agent: from a template, in words, from a drawing, from pseudocode, or from a file of another garden. */
export function NewAgentPage() {
  const t = useT();

  const gallery = useQuery(query("GET /agent-templates", {}));
  const [way, setWay] = useState<NewAgentWay>();
  const [wish, setWish] = useState("");
  return (
    <>
      <TopBar icon={Flower2} crumbs={[{ name: t(words.agents), to: "/agents" }]} title={t(words.title)}>
        <Link to="/import" className="button ghost">
          <Import size={15} aria-hidden="true" />
          {t(words.elsewhere)}
        </Link>
        <Button tone="ghost" onClick={() => setWay({ kind: "file" })}>
          <FileUp size={15} aria-hidden="true" />
          {t(words.file)}
        </Button>
        <Button tone="ghost" onClick={() => setWay({ kind: "pseudocode" })}>
          <ScrollText size={15} aria-hidden="true" />
          {t(words.pseudocode)}
        </Button>
        <Button tone="ghost" onClick={() => setWay({ kind: "drawing" })}>
          <PencilRuler size={15} aria-hidden="true" />
          {t(words.drawing)}
        </Button>
      </TopBar>
      <div className="page stack gallery-page">
        <header className="stack tight">
          <h1 className="page-title">{t(words.head)}</h1>
          <p className="gallery-lede">{t(words.lede)}</p>
        </header>
        <Form className="wish-line" onSubmit={() => setWay({ kind: "prose", purpose: wish.trim() })}>
          <span className="wish-field">
            <Sparkles size={17} aria-hidden="true" />
            <input
              aria-label={t(words.wish)}
              placeholder={t(words.example)}
              maxLength={500}
              value={wish}
              onChange={({ target }) => setWish(target.value)}
            />
          </span>
          <button type="submit" className="button large" disabled={wish.trim() === ""}>
            {t(words.draft)}
          </button>
        </Form>
        <QueryResult of={gallery}>{({ templates }) => <Gallery templates={templates} />}</QueryResult>
      </div>
      {way && <NewAgentDialog way={way} onClose={() => setWay(undefined)} />}
    </>
  );
}

const groups = ["all", "tidy", "summarise", "answer", "watch", "write"] as const;

function Gallery({ templates }: { readonly templates: readonly Template[] }) {
  const t = useT();
  const [group, setGroup] = useState<(typeof groups)[number]>("all");
  const [chosen, setChosen] = useState<string>();
  const shown = templates.filter((each) => group === "all" || each.group === group);
  const template = templates.find(({ id }) => id === chosen);
  const hues = flowerHues(templates.map(({ id }) => id));
  return (
    <>
      <div className="row between">
        <Segments
          label={t(words.groups)}
          value={group}
          options={groups.map((value) => ({
            value,
            name: value === "all" ? t(words.all, templates.length) : t(words[value]),
          }))}
          onChoose={setGroup}
        />
        <span className="meta">{t(words.offline)}</span>
      </div>
      <ul className="gallery">
        {shown.map((each) => (
          <TemplateCard
            key={each.id}
            template={each}
            hue={hues.get(each.id)}
            isChosen={each.id === chosen}
            onChoose={() => setChosen(each.id === chosen ? undefined : each.id)}
          />
        ))}
      </ul>
      {template && <ChosenTemplate key={template.id} template={template} />}
    </>
  );
}

const words = {
  title: { en: "New agent", uk: "Новий агент" },
  agents: { en: "Agents", uk: "Агенти" },
  elsewhere: { en: "From another product", uk: "З іншого продукту" },
  file: { en: "Import a file", uk: "Імпортувати файл" },
  pseudocode: { en: "From pseudocode", uk: "З псевдокоду" },
  drawing: { en: "Start blank", uk: "З порожнього" },
  head: { en: "What should it look after?", uk: "Про що він має дбати?" },
  lede: {
    en: "Pick a template, or say it in your own words. A new agent reads and proposes; nothing changes until you approve.",
    uk: "Виберіть шаблон або скажіть своїми словами. Новий агент читає й пропонує; без вашого схвалення нічого не змінюється.",
  },
  wish: { en: "Purpose of the new agent, in your own words", uk: "Призначення нового агента своїми словами" },
  example: {
    en: "Every Friday, list the notes that nobody has linked to…",
    uk: "Щоп’ятниці перелічувати нотатки, на які ніхто не посилається…",
  },
  draft: { en: "Draft it", uk: "Накидати" },
  groups: { en: "Kind of template", uk: "Вид шаблону" },
  all: { en: "All {}", uk: "Усі {}" },
  tidy: { en: "Keep tidy", uk: "Лад" },
  summarise: { en: "Summarise", uk: "Підсумки" },
  answer: { en: "Answer", uk: "Відповіді" },
  watch: { en: "Watch", uk: "Нагляд" },
  write: { en: "Write", uk: "Письмо" },
  offline: {
    en: "Works without a network unless a price is shown",
    uk: "Працює без мережі, якщо не вказано ціни",
  },
} as const satisfies Record<string, Text>;
