import { workbook, workbookOf, workbookParts } from '@sheaf/testing';
import { readSheets } from './workbook';

const report = { warn: () => undefined };

it('reads a text whole, however long it is and whatever its characters', async () => {
  const long = '東京🗼'.repeat(8_000);
  const { survey } = await readSheets(
    await workbook({
      survey: [
        ['a', long],
        [long, 'b'],
      ],
    }),
    ['survey'],
    report,
  );
  expect(survey?.map(({ cells }) => [...cells])).toEqual([
    [
      [1, 'a'],
      [2, long],
    ],
    [
      [1, long],
      [2, 'b'],
    ],
  ]);
});

it('reads elements with a namespace prefix, CDATA, entities and comments', async () => {
  const sheet =
    '<x:worksheet xmlns:x="y"><!-- note --><x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t>1 &lt; <![CDATA[2 & 3]]>&#x21;</x:t></x:is></x:c></x:row></x:worksheet>';
  const file = await workbookOf({ ...workbookParts({ survey: [] }), 'xl/worksheets/sheet0.xml': sheet });
  expect(await readSheets(file, ['survey'], report)).toEqual({
    survey: [{ number: 3, cells: new Map([[2, '1 < 2 & 3!']]), faulty: new Set() }],
  });
});

it('reads a cell that is true or false as spreadsheets show it', async () => {
  const sheet = '<worksheet><row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1" t="b"><v>0</v></c></row></worksheet>';
  const file = await workbookOf({ ...workbookParts({ choices: [] }), 'xl/worksheets/sheet0.xml': sheet });
  const { choices } = await readSheets(file, ['choices'], report);
  expect(choices?.flatMap(({ cells }) => [...cells.values()])).toEqual(['TRUE', 'FALSE']);
});
