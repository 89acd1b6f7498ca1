import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchQuery } from '../../dist/nodes/Sheaf/search-query';

const asked = (...filters: Parameters<typeof searchQuery>) => [...searchQuery(...filters)];

describe('the query of a search', () => {
  it('has only what was filled in', () => {
    assert.deepEqual(asked({}), []);
    assert.deepEqual(asked({ q: '  ', status: [], from: '', sort: '', conditions: [] }), []);
  });

  it('has every status and condition', () => {
    assert.deepEqual(
      asked({
        q: 'garden*',
        status: ['new', 'approved'],
        sort: '-created',
        conditions: [
          { field: 'colour', operator: 'is', value: 'red' },
          { field: 'colour', operator: 'isNot', value: 'blue' },
          { field: 'age', operator: 'gte', value: '18' },
          { field: 'email', operator: 'answered', value: '' },
          { field: 'phone', operator: 'unanswered', value: '' },
        ],
      }),
      [
        ['q', 'garden*'],
        ['status', 'new'],
        ['status', 'approved'],
        ['sort', '-created'],
        ['filter[colour]', 'red'],
        ['filter[colour][ne]', 'blue'],
        ['filter[age][gte]', '18'],
        ['filter[email][answered]', 'true'],
        ['filter[phone][answered]', 'false'],
      ],
    );
  });

  it('takes a time without an offset as UTC', () => {
    assert.deepEqual(asked({ from: '2026-03-04T16:05:12', to: '2026-03-04T16:05:12.000+01:00' }), [
      ['from', '2026-03-04T16:05:12Z'],
      ['to', '2026-03-04T16:05:12.000+01:00'],
    ]);
  });
});
