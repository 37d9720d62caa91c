import { ProtectionReport } from '#modules/accounts/web/ProtectionReport.tsx';
import SignInRules from '#modules/settings/web/LoginPage.tsx';

/** The rules of signing in, and how the office stands against what a protected edition asks for. */
export default function LoginPage() {
  return (
    <div className="kit-stack">
      <SignInRules />
      <ProtectionReport />
    </div>
  );
}
