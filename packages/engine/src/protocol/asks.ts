/** One command of an area: its fields beside `type`, and the type of its answer. */

export interface Asks<Fields, Result = void> {
  readonly fields: Fields;
  readonly result: Result;
}
