import type { Template } from './template';

export const quiz: Template = {
  id: 'quiz',
  purpose: 'feedback',
  items: [
    { type: 'short_text', key: 'nickname', max_length: 60 },
    { type: 'select', key: 'capital', required: true, shuffle: true, options: ['sydney', 'canberra', 'melbourne', 'perth'] },
    { type: 'select', key: 'planet', required: true, shuffle: true, options: ['earth', 'saturn', 'jupiter', 'neptune'] },
    { type: 'integer', key: 'year', required: true, min: 1_900, max: 2_000 },
    {
      type: 'calculated',
      key: 'points',
      formula: 'if(capital = "canberra", 1, 0) + if(planet = "jupiter", 1, 0) + if(year = 1969, 1, 0)',
      shown: false,
    },
    { type: 'ending', name: 'all_right', if: { key: 'points', equals: 3 } },
    { type: 'ending', name: 'some_right', if: { key: 'points', gte: 1 } },
  ],
};
