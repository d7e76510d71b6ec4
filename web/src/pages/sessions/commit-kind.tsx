import {
  FlaskConical,
  GitCommitVertical,
  GitMerge,
  type LucideIcon,
  Search,
  Shuffle,
  Split,
  Sprout,
  UserRound,
} from "lucide-react";
import { type Text, useT } from "../../i18n/use-t.ts";

interface KindLook {
  readonly icon: LucideIcon;
  readonly name: Text;
  /** Shape and colour: a kind is never told by colour alone. */
  readonly shape: "ring" | "rhomb" | "double";
  readonly tone: string;
}

/** Kinds of commits that the program knows. Others, registered in a garden, look like a finding without a lens. */
const LOOKS: Readonly<Record<string, KindLook>> = {
  spawn: { icon: Sprout, name: { en: "start", uk: "початок" }, shape: "ring", tone: "ink-3" },
  finding: { icon: Search, name: { en: "finding", uk: "знахідка" }, shape: "ring", tone: "water" },
  refactor: { icon: Shuffle, name: { en: "refactor", uk: "перебудова" }, shape: "ring", tone: "ink-2" },
  test: { icon: FlaskConical, name: { en: "test", uk: "перевірка" }, shape: "ring", tone: "ink-2" },
  decision: { icon: Split, name: { en: "decision", uk: "рішення" }, shape: "rhomb", tone: "pollen" },
  "session-merge": { icon: GitMerge, name: { en: "merge", uk: "злиття" }, shape: "double", tone: "leaf" },
};

const BY_HAND: KindLook = { icon: UserRound, name: { en: "by hand", uk: "вручну" }, shape: "ring", tone: "ink" };

const lookOf = (kind: string | null): KindLook =>
  kind === null
    ? BY_HAND
    : (LOOKS[kind] ?? { icon: GitCommitVertical, name: { en: kind, uk: kind }, shape: "ring", tone: "ink-2" });

/** The word for a kind of commit; a commit without one was made by a person. */
export function useKindName(): (kind: string | null) => string {
  const t = useT();
  return (kind) => t(lookOf(kind).name);
}

export function KindGlyph({ kind }: { readonly kind: string | null }) {
  const { icon: Icon, shape, tone } = lookOf(kind);
  return (
    <span className={`kind-glyph ${shape} tone-${tone}`} aria-hidden="true">
      <Icon size={shape === "rhomb" ? 10 : 12} />
    </span>
  );
}

/** The same in the picture of branches, around a point. */
export function KindMark(props: { readonly kind: string | null; readonly x: number; readonly y: number }) {
  const { kind, x, y } = props;
  const { icon: Icon, shape, tone } = lookOf(kind);
  const size = shape === "rhomb" ? 10 : 12;
  return (
    <g className={`kind-mark tone-${tone}`}>
      {shape === "rhomb" ? (
        <rect x={x - 8.5} y={y - 8.5} width="17" height="17" rx="3" transform={`rotate(45 ${x} ${y})`} />
      ) : (
        <circle cx={x} cy={y} r={shape === "double" ? 13 : 10.5} />
      )}
      {shape === "double" && <circle className="inner" cx={x} cy={y} r="9.5" />}
      <Icon x={x - size / 2} y={y - size / 2} size={size} />
    </g>
  );
}

export function KindLegend() {
  const t = useT();
  return (
    <p className="kind-legend">
      {[...Object.keys(LOOKS).filter((kind) => kind !== "test"), null].map((kind) => (
        <span key={kind ?? "hand"}>
          <KindGlyph kind={kind} />
          {t(lookOf(kind).name)}
        </span>
      ))}
    </p>
  );
}
