import { useCall } from '#kernel/web/calls.ts';
import { ProtectionReport } from '#modules/platform/accounts/web/ProtectionReport.tsx';
import { settings } from '#modules/platform/settings/contract.ts';
import SignInRules from '#modules/platform/settings/web/LoginPage.tsx';

/** The rules of signing in, and how the office stands against what a protected edition asks for. */
export default function LoginPage() {
  const { isPending } = useCall(settings.login, {});
  return (
    <div className="kit-stack">
      <SignInRules />
      {/* Below rules of whatever length: it comes after them, so that nothing moves. */}
      {!isPending && <ProtectionReport />}
    </div>
  );
}
