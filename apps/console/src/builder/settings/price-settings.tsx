import { decimalsOf, isAmount, labelTextOf, type Field, type Payment } from '@sheaf/contracts';
import { ArrowLeft } from 'lucide-react';
import { Button } from '../../parts/button';
import { NumberField, RadioGroup, Select, Switch } from '../../parts/fields';
import { useLanguage, useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import { fieldsIn } from '../model/contents';
import { ofWhole } from '../model/faults';

/** How many of the smallest unit make one of the currency: 100 cents, but 1 yen. */
const unitOf = (currency: string): number => 10 ** decimalsOf(currency);

const usualCurrency = 'eur';
const usualAmount = 1_000;

/** The price of sending the form. */
export function PriceSettings() {
  const say = useWords('builder').page;
  const { state, edit, select } = useEditing();
  const { payment, entries } = state.history.present;
  const amounts = fieldsIn(entries).filter(isAmount);
  const set = (price: Payment | undefined) => edit({ do: 'price', payment: price });
  const [first] = amounts;
  return (
    <>
      <div className={style.panelHead}>
        <h2>{say.payment}</h2>
        <span className={style.back}>
          <Button isSmall icon={ArrowLeft} onPress={() => select(undefined)}>
            {say.backToFields}
          </Button>
        </span>
      </div>
      <p className="muted">{say.paymentHelp}</p>
      <Switch
        isSelected={payment !== undefined}
        onChange={(isOn) => set(isOn ? { amount: usualAmount, currency: usualCurrency } : undefined)}
      >
        {say.collectPayment}
      </Switch>
      {payment && (first !== undefined || payment.amount_from !== undefined) && (
        <RadioGroup
          label={say.amount}
          value={payment.amount_from === undefined ? 'fixed' : 'calculated'}
          options={[
            { value: 'fixed', label: say.fixedAmount },
            { value: 'calculated', label: say.calculatedAmount, help: say.calculatedAmountHelp },
          ]}
          onChange={(kind) => {
            if (kind === 'fixed') set({ amount: usualAmount, currency: payment.currency });
            else if (first) set(calculatedBy(first, payment));
          }}
        />
      )}
      {payment &&
        (payment.amount === undefined ? (
          <CalculatedPrice payment={payment} amounts={amounts} onChange={set} />
        ) : (
          <FixedPrice payment={payment} amount={payment.amount} onChange={set} />
        ))}
    </>
  );
}

interface Props {
  payment: Payment;
  onChange: (price: Payment) => void;
}

function FixedPrice({ payment: { currency }, amount, onChange }: Props & { amount: number }) {
  const say = useWords('builder').page;
  const fault = useFault();
  return (
    <div className={style.pair}>
      <NumberField
        label={say.amount}
        fault={fault('amount')}
        value={amount / unitOf(currency)}
        minValue={1 / unitOf(currency)}
        formatOptions={{ minimumFractionDigits: decimalsOf(currency), maximumFractionDigits: decimalsOf(currency) }}
        onChange={(next) => {
          if (!Number.isNaN(next)) onChange({ amount: Math.round(next * unitOf(currency)), currency });
        }}
      />
      <Currency
        value={currency}
        onChange={(next) => {
          // The same price in its own unit: 25.00 euros become 25 yen.
          const same = Math.round((amount / unitOf(currency)) * unitOf(next));
          onChange({ amount: Math.max(1, same), currency: next });
        }}
      />
    </div>
  );
}

function CalculatedPrice({ payment, amounts, onChange }: Props & { amounts: readonly Field[] }) {
  const say = useWords('builder').page;
  const fault = useFault();
  const chosen = amounts.find(({ key }) => key === payment.amount_from);
  return (
    <div className={style.pair}>
      <Select
        label={say.amountFrom}
        fault={fault('amount_from')}
        value={chosen?.key ?? null}
        options={amounts.map((field) => ({ value: field.key, label: labelTextOf(field) }))}
        onChange={(key) => {
          const field = amounts.find((each) => each.key === key);
          if (field) onChange(calculatedBy(field, payment));
        }}
      />
      {/* Where the field has a currency, it is that one. */}
      {chosen?.currency !== payment.currency && (
        <Currency value={payment.currency} onChange={(currency) => onChange({ ...payment, currency })} />
      )}
    </div>
  );
}

function Currency({ value, onChange }: { value: string; onChange: (currency: string) => void }) {
  const say = useWords('builder').page;
  const fault = useFault();
  const names = new Intl.DisplayNames(useLanguage(), { type: 'currency' });
  return (
    <Select
      label={say.currency}
      fault={fault('currency')}
      value={value}
      options={Intl.supportedValuesOf('currency').map((code) => ({
        value: code.toLowerCase(),
        label: `${code} – ${names.of(code) ?? code}`,
      }))}
      onChange={onChange}
    />
  );
}

/** The price that a field computes, in its currency if it has one. */
const calculatedBy = ({ key, currency }: Field, payment: Payment): Payment => ({
  amount_from: key,
  currency: currency ?? payment.currency,
});

/** The fault of a part of the price, in words. */
function useFault(): (part: string) => string | undefined {
  const say = useWords('builder').settings;
  const { faults } = useEditing().state;
  return (part) => {
    const found = faults.get(ofWhole)?.find((each) => each.part === `payment.${part}`);
    return found && (found.code ? say[found.code] : found.message);
  };
}
