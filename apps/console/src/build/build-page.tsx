export const BuildPage = () => <p>BuildPage</p>;
