export const FormSettingsPage = () => <p>FormSettingsPage</p>;
