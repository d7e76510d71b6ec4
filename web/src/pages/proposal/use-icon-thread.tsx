import { type ReactNode, useMemo, useState } from "react";
import type { Remark, Proposal as Whole } from "../../api/endpoints.gen.ts";
import type { PartIcon } from "../../components/diagram-diff.tsx";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Section } from "./context-section.tsx";
import { ThreadMessage } from "./message.tsx";
import { RemarkForm } from "./remark-form.tsx";

export interface IconThread {
  readonly chosen: PartIcon | undefined;
  readonly choose: (icon: PartIcon | undefined) => void;
  /** The number of comments on each icon of a diagram. */
  readonly counts: (part: string) => ReadonlyMap<string, number>;
  /** The comments on the chosen icon, and a field for a new one. */
  readonly panel: ReactNode;
  /** All comments on icons, for the context pane. */
  readonly list: ReactNode;
}

const MAIN = "";

/** P-10c: the remarks on icons of a proposed diagram. */
export function useIconThread(proposal: Whole, remarks: readonly Remark[]): IconThread {
  const t = useT();
  const [chosen, setChosen] = useState<PartIcon>();
  const placed = useMemo(() => remarks.flatMap((each) => onIcon(each)), [remarks]);
  const said = placed.filter(({ at }) => at.icon === chosen?.icon && at.part === chosen.part);
  const name = (at: PartIcon): string => at.text.split("\n", 1)[0] || at.icon;
  const message = ({ remark }: PlacedRemark) => (
    <ThreadMessage
      key={remark.number}
      by={remark.by}
      isAgent={remark.by === proposal.agent?.slug}
      text={remark.text}
      at={remark.at}
    />
  );
  const icons = [...new Map(placed.map(({ at }) => [`${at.part} ${at.icon}`, at])).values()];
  return {
    chosen,
    choose: setChosen,
    counts: (part) => {
      const counts = new Map<string, number>();
      for (const { at } of placed) if (at.part === part) counts.set(at.icon, (counts.get(at.icon) ?? 0) + 1);
      return counts;
    },
    panel: chosen && (
      <section className="thread apart" aria-label={t(words.on, name(chosen))}>
        <p className="label">{t(words.on, name(chosen))}</p>
        {said.map(message)}
        <RemarkForm
          key={`${chosen.part} ${chosen.icon}`}
          proposal={proposal.id}
          place={{
            path: `${proposal.target}/current.drakon.json`,
            side: "after",
            icon: chosen.icon,
            ...(chosen.part !== MAIN && { diagram: chosen.part }),
            quote: chosen.text,
          }}
          isRevisable={proposal.status === "pending" && proposal.source.type === "agent"}
          onClose={() => setChosen(undefined)}
        />
      </section>
    ),
    list: icons.length > 0 && (
      <Section name={t(words.comments)} aside={String(placed.length)}>
        {icons.map((at) => (
          <div key={`${at.part} ${at.icon}`} className="thread flat">
            <Button tone="quiet small" onClick={() => setChosen(at)}>
              {name(at)}
            </Button>
            {placed.filter((each) => each.at.icon === at.icon && each.at.part === at.part).map(message)}
          </div>
        ))}
      </Section>
    ),
  };
}

interface PlacedRemark {
  readonly remark: Remark;
  readonly at: PartIcon;
}

function onIcon(remark: Remark): PlacedRemark[] {
  const { place } = remark;
  if (!place || !("icon" in place)) return [];
  return [{ remark, at: { part: place.diagram ?? MAIN, icon: place.icon, text: place.quote ?? "" } }];
}

const words = {
  on: { en: "Comments on “{}”", uk: "Коментарі до «{}»" },
  comments: { en: "Comments on icons", uk: "Коментарі до ікон" },
} as const satisfies Record<string, Text>;
