/** Numbers of a record: the value's start and end, the key's, and where the record of the next value begins. */
const SIZE = 5;
const NONE = -1;

/**
 * Where the values of a text stand, in its order: a list or mapping before what it holds. All in one
 * list of numbers, since an object for each would take longer to make than to read the text.
 */
export class Places {
  #numbers = new Int32Array(1 << 12);
  #length = 0;
  readonly #whole = new Set<number>();
  readonly #skipped = new Set<number>();
  #keyStart = NONE;
  #keyEnd = NONE;
  /** Where the value ends that was read last. */
  lastEnd = 0;

  /** The record of the value that is opened next. */
  get length(): number {
    return this.#length;
  }

  /** Whose value is opened next. */
  key(start: number, end: number): void {
    this.#keyStart = start;
    this.#keyEnd = end;
  }

  /** @returns the value's record */
  open(start: number): number {
    const record = this.#length;
    this.#length += SIZE;
    if (this.#length > this.#numbers.length) this.#grow();
    const numbers = this.#numbers;
    numbers[record] = start;
    numbers[record + 1] = NONE;
    numbers[record + 2] = this.#keyStart;
    numbers[record + 3] = this.#keyEnd;
    numbers[record + 4] = NONE;
    this.#keyStart = NONE;
    return record;
  }

  /** Ends a list or mapping that was read as a whole: where its values stand is not known. */
  closeWhole(record: number, end: number): void {
    this.#whole.add(record);
    this.close(record, end);
  }

  isWhole(record: number): boolean {
    return this.#whole.has(record);
  }

  /** An item of a list that is not read, since it is known: from its dash to the line of the next one. */
  skip(dash: number, end: number): void {
    const record = this.open(dash);
    this.#skipped.add(record);
    this.close(record, end);
  }

  isSkipped(record: number): boolean {
    return this.#skipped.has(record);
  }

  /** Everything that was opened since lies inside. */
  close(record: number, end: number): void {
    this.#numbers[record + 1] = end;
    this.#numbers[record + 4] = this.#length;
    this.lastEnd = end;
  }

  #grow(): void {
    const larger = new Int32Array(4 * this.#numbers.length);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  ofValue(record: number): readonly [number, number] {
    return [this.#numbers[record] ?? 0, this.#numbers[record + 1] ?? 0];
  }

  /** Absent for items of a list, and for the root. */
  ofKey(record: number): readonly [number, number] | undefined {
    const start = this.#numbers[record + 2] ?? NONE;
    return start === NONE ? undefined : [start, this.#numbers[record + 3] ?? 0];
  }

  /** The records of what a list or mapping holds. */
  inside(record: number): number[] {
    const end = this.#numbers[record + 4] ?? 0;
    const records: number[] = [];
    for (let inner = record + SIZE; inner < end; inner = this.#numbers[inner + 4] ?? end) {
      records.push(inner);
    }
    return records;
  }
}
