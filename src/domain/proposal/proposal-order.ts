interface Made {
  readonly created_at: string;
  readonly id: string;
}

/** The order in which proposals were made. */
export const byAge = (one: Made, other: Made): number => {
  const [first, second] = [one, other].map(({ created_at, id }) => `${created_at} ${id}`);
  return first! < second! ? -1 : first === second ? 0 : 1;
};
