/**
 * Named places where a test can end the process, as a power cut or `kill -9` would. In production the call does nothing;
 * a crash suite arms one point in a child process and checks the state on disk.
 */
type Hit = (name: string) => void;
let armed: Hit | undefined;

export function crashPoint(name: string): void {
  armed?.(name);
}

/** For crash suites only. Returns a function that disarms. @internal */
export function armCrashPoints(hit: Hit): () => void {
  armed = hit;
  return () => {
    armed = undefined;
  };
}
