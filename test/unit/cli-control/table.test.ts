import { describe, expect, it } from 'vitest';
import { pairLines, Table } from '../../../src/cli/control/table.js';

describe('Table', () => {
  it('shows titles once and keeps columns as wide as what was shown', () => {
    const table = new Table([{ title: 'HOST' }, { title: 'N', align: 'right' }]);
    expect(table.lines([['a.example.com', '1200']])).toEqual([
      'HOST              N',
      'a.example.com  1200',
    ]);
    expect(table.lines([['b', '3']])).toEqual(['b                 3']);
  });

  it('shows titles alone for no rows', () => {
    expect(new Table([{ title: 'HOST', minWidth: 6 }, { title: 'N' }]).lines([])).toEqual([
      'HOST    N',
    ]);
  });
});

describe('pairLines', () => {
  it('puts values below each other', () => {
    expect(
      pairLines([
        ['state', 'running'],
        ['not followed', '3'],
      ]),
    ).toEqual(['state         running', 'not followed  3']);
  });
});
