import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // How markdown writes `<img />` and `disabled=""` is a matter of style.
    ...{ 'void-style': 'off', 'attribute-boolean-style': 'off' },
    // The key of the reference is for this page alone: nothing should offer to fill it in or to store it.
    'autocomplete-password': 'off',
  },
})

/** What is wrong with a page, with the line on which it is. */
export async function faultsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, line }) => `${ruleId}: ${message}: ${html.split('\n')[line - 1]?.slice(0, 200)}`,
    ),
  )
}
