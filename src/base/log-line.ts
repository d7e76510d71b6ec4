/** One line of a structured log (`bloom up --log json`). `event` names what happened; ids and numbers follow, never content. */
export interface LogLine {
  readonly event: string;
  readonly correlation?: string;
  readonly [field: string]: string | number | boolean | undefined;
}
