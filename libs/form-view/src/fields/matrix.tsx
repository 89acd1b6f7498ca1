import { cellText, matrixOf } from '@sheaf/contracts';
import { Written } from '../parts/text';
import { useReading } from '../reading';
import { idOf, invalid, nameOf, type Control } from './control';
import { Group } from './surroundings';

/** With more columns, a table would be wider than the page, and their labels broken within words. */
const maxBeside = 6;

/**
 * A table of radio buttons, or check boxes, of which each is named by its row and its column. On narrow screens its rows stand below each other, each
 * with its choices as any question has them; roles keep it a table there. Each row has a name of its own, which the server leaves out.
 */
export function Matrix({ control }: { control: Control }) {
  const { words } = useReading();
  const { field, values, mayBeEmpty, texts, sentences } = control;
  const { rows, columns } = texts;
  const { several } = matrixOf(field);
  const type = several ? 'checkbox' : 'radio';
  const isChosen = (row: string, column: string) => values.includes(cellText(row, column));
  const isMissing = (row: string) => sentences.length > 0 && !columns.some(({ value }) => isChosen(row, value));
  const canBeEmptied = !several && mayBeEmpty !== 'never';
  const isEmpty = !rows.some((row) => columns.some((column) => isChosen(row.value, column.value)));
  // A fault leads to the first row that lacks an answer.
  const start = Math.max(
    rows.findIndex(({ value }) => isMissing(value)),
    0,
  );
  const width = columns.length + 1;
  const idFor = (rowAt: number, columnAt: number) =>
    idOf(control, (rowAt === start ? 0 : rowAt === 0 ? start : rowAt) * width + columnAt + 1);
  return (
    <Group control={control} isRadio={false}>
      <table className={columns.length > maxBeside ? 'matrix' : 'matrix beside'} role="table">
        <thead role="rowgroup">
          <tr role="row">
            <td role="cell" />
            {columns.map(({ value, label }) => (
              <th key={value} role="columnheader" scope="col">
                <Written text={label} />
              </th>
            ))}
            {canBeEmptied && (
              <th className="none" hidden={isEmpty} role="columnheader" scope="col">
                {words.noAnswer}
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, rowAt) => (
            <tr key={row.value} role="row" className={isMissing(row.value) ? 'missing' : undefined}>
              <th role="rowheader" scope="row">
                <Written text={row.label} />
              </th>
              {columns.map((column, columnAt) => (
                <td key={column.value} role="cell">
                  <div className="choice">
                    <input
                      type={type}
                      id={idFor(rowAt, columnAt)}
                      name={`${nameOf(control)}.${row.value}`}
                      value={cellText(row.value, column.value)}
                      defaultChecked={isChosen(row.value, column.value)}
                      aria-invalid={several && isMissing(row.value) ? invalid(control) : undefined}
                    />
                    <label htmlFor={idFor(rowAt, columnAt)}>
                      <span className="unseen">
                        <Written text={row.label} />
                        {': '}
                      </span>
                      <Written text={column.label} />
                    </label>
                  </div>
                </td>
              ))}
              {canBeEmptied && (
                <td className="none" hidden={isEmpty} role="cell">
                  <div className="choice">
                    <input type="radio" id={idFor(rowAt, columns.length)} name={`${nameOf(control)}.${row.value}`} value="" />
                    <label htmlFor={idFor(rowAt, columns.length)}>
                      <span className="unseen">
                        <Written text={row.label} />
                        {': '}
                      </span>
                      {words.noAnswer}
                    </label>
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Group>
  );
}
