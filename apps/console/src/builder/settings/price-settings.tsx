import { decimalsOf } from '@sheaf/form-view';
import { ArrowLeft } from 'lucide-react';
import { Button } from '../../parts/button';
import { NumberField, Select, Switch } from '../../parts/fields';
import { useLanguage, useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import { ofWhole } from '../model/faults';

/** How many of the smallest unit make one of the currency: 100 cents, but 1 yen. */
const unitOf = (currency: string): number => 10 ** decimalsOf(currency);

/** The price of sending the form. */
export function PriceSettings() {
  const say = useWords('builder').page;
  const language = useLanguage();
  const { state, edit, select } = useEditing();
  const { payment } = state.history.present;
  const fault = (part: string) => state.faults.get(ofWhole)?.find((each) => each.part === `payment.${part}`)?.message;
  const names = new Intl.DisplayNames(language, { type: 'currency' });
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
        onChange={(isOn) => edit({ do: 'price', payment: isOn ? { amount: 1_000, currency: 'eur' } : undefined })}
      >
        {say.collectPayment}
      </Switch>
      {payment && (
        <div className={style.pair}>
          <NumberField
            label={say.amount}
            fault={fault('amount')}
            value={payment.amount / unitOf(payment.currency)}
            minValue={1 / unitOf(payment.currency)}
            formatOptions={{ minimumFractionDigits: decimalsOf(payment.currency), maximumFractionDigits: decimalsOf(payment.currency) }}
            onChange={(amount) => {
              if (!Number.isNaN(amount))
                edit({ do: 'price', payment: { ...payment, amount: Math.round(amount * unitOf(payment.currency)) } });
            }}
          />
          <Select
            label={say.currency}
            fault={fault('currency')}
            value={payment.currency}
            options={Intl.supportedValuesOf('currency').map((code) => ({
              value: code.toLowerCase(),
              label: `${code} – ${names.of(code) ?? code}`,
            }))}
            onChange={(currency) => {
              // The same price in its own unit: 25.00 euros become 25 yen.
              const amount = Math.round((payment.amount / unitOf(payment.currency)) * unitOf(currency));
              edit({ do: 'price', payment: { amount: Math.max(1, amount), currency } });
            }}
          />
        </div>
      )}
    </>
  );
}
