import { readConditions } from './filter';

it('looks for an option once, however many of its names have the words, so that they leave room for others', () => {
  const german = Array.from({ length: 100 }, (_, at) => ({ keys: ['home'], value: 'DE', label: `Republic ${at}` }));
  const czech = { keys: ['home', 'work'], value: 'CZ', label: 'Czech Republic' };
  const [first = czech] = german;
  expect(readConditions('republic', [], { labels: [...german, czech] })).toEqual(
    readConditions('republic', [], { labels: [first, czech] }),
  );
  expect(readConditions('republic', [], { labels: [first, czech] })).not.toEqual(readConditions('republic', [], { labels: [first] }));
});
