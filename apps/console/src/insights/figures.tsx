import style from './insights.module.css';

/** A few numbers that stand alone, each with its name. */
export const Figures = ({ figures }: { figures: readonly (readonly [string, string])[] }) => (
  <dl className={style.figures}>
    {figures.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
