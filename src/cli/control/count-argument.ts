/** How many: a number that a flag takes. */
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError for what is no whole number from 1 to 999,999,999 */
export function countArgument(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a whole number from 1 on, such as 20.');
}
