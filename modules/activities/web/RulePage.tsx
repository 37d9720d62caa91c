export default function RulePage() {
  return null;
}
