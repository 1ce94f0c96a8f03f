//! Which words a compiler may be told. Flags that load plugins, or name other tools, other machines or
//! files of flags, are not among them.

/// Flags of one word.
const SINGLE: &str = "\
    - -### -C -cpp -nocpp -E -H -M -MD -MG -MM -MMD -MP -P -S -ansi -c -dD -dM -dumpfullversion \
    -dumpmachine -dumpversion -no-pie -pedantic -pedantic-errors -pie -pipe -pthread \
    -rdynamic -s -static -static-libgcc -static-libstdc++ -traditional -traditional-cpp \
    -trigraphs -undef -v --version --help -w";
/// Flags with a value, in the same word or in the next one.
const VALUED: &str = "\
    -D -I -J -L -MF -MQ -MT -U -idirafter -imacros -include -iquote -isystem -l -o -u -x \
    --param";
/// Flags that begin so, and go on as they like.
const BEGINNINGS: &str = "\
    -O -W -g -m -print- --param= -std=";
/// What may follow `-f`, or `-fno-`: the beginnings of names.
const OF_THE_LANGUAGE: &str = "\
    PIC PIE aggressive-loop- align- allow- asm associative-math automatic backslash bounds-check \
    branch-count builtin char8_t check= check-array convert= cray-pointer d-lines- dec default- \
    dollar-ok fixed- free- implicit-none init- integer-4 module-private protect-parens range-check \
    real- recursive max-array-constructor= max-identifier-length= max-stack-var-size= common concepts constexpr- coroutines cx- data-sections debug-prefix-map= delete-null- \
    diagnostics- early-inlining elide- exceptions excess-precision= expensive- fast-math \
    fat-lto- file-prefix-map= finite- float-store forward-propagate fp- function-sections \
    gcse gnu if-conversion implicit- inline ipa- ivopts keep-inline- lto macro-prefix-map= \
    math-errno max-errors= message-length= modulo- move- ms-extensions non-call-exceptions \
    nonansi omit-frame-pointer openmp optimize- peel-loops permissive pic pie plt \
    prefetch-loop-arrays reciprocal-math record- rename-registers rounding-math rtti \
    schedule- semantic- short- signaling-nans signed- simd- single-precision- split-loops \
    stack-clash-protection stack-protector strict- template- thread-jumps threadsafe-statics \
    tls-model= trapping-math trapv tree- unroll- unsafe-math- unsigned- unswitch- unwind- \
    use-cxa- use-linker-plugin vect- visibility web whole-program wrapv working-directory";
/// Flags that begin like allowed ones, and name programs or other machines.
const NEVER: &str = "\
    -m32 -m16 -mx32 -Wa, -Wp,";
/// What the linker may be told behind `-Wl,`.
const OF_THE_LINKER: &str = "\
    --allow-multiple-definition --as-needed --no-as-needed --start-group --end-group -( -) \
    --whole-archive --no-whole-archive --gc-sections --no-gc-sections --export-dynamic -E \
    -Bstatic -Bdynamic -Bsymbolic --build-id --no-undefined --sort-common --warn- --no-warn- \
    --fatal-warnings -O --hash-style= -z --demangle -rpath --rpath --enable-new-dtags \
    --disable-new-dtags --relax";

/// Whether the next word is the value of this flag.
pub fn takes_value(word: &str) -> bool {
    has(VALUED, word)
}

/// Whether a flag is allowed.
pub fn is_allowed(word: &str) -> bool {
    if begins(word, NEVER) {
        return false;
    }
    if let Some(orders) = word.strip_prefix("-Wl,") {
        return linker_may(orders);
    }
    if let Some(name) = word.strip_prefix("-f") {
        let name = name.strip_prefix("no-").unwrap_or(name);
        return begins(name, OF_THE_LANGUAGE);
    }
    has(SINGLE, word) || begins(word, BEGINNINGS) || begins(word, VALUED)
}

/// Whether each of the orders is allowed; what follows `-rpath` and `-z` is their value.
fn linker_may(orders: &str) -> bool {
    let mut is_value = false;
    orders.split(',').all(|order| {
        let fits = is_value || begins(order, OF_THE_LINKER);
        is_value = ["-rpath", "--rpath", "-z", "-rpath-link", "--rpath-link"].contains(&order);
        fits
    })
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|each| each == word)
}

fn begins(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|start| word.starts_with(start))
}
