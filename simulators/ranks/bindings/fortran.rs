//! The interface of MPI for Fortran, made from the headers of C: functions that Fortran calls, and the
//! constants of `mpif.h`.

use std::fmt::Write;

/// Headers that declare calls.
const CALLS: &str = "mgen_mpi_";
/// Types that are numbers of four bytes.
const HANDLES: [&str; 11] = [
    "int",
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Errhandler",
    "MPI_File",
    "MPI_Group",
    "MPI_Info",
    "MPI_Message",
    "MPI_Op",
    "MPI_Request",
    "MPI_Win",
];
/// Numbers of eight bytes.
const WIDE: [&str; 3] = ["MPI_Aint", "MPI_Offset", "MPI_Count"];
/// Names of fields and of types of C, which are no constants.
const NO_CONSTANTS: [&str; 3] = ["MPI_SOURCE", "MPI_TAG", "MPI_ERROR"];
/// Columns of a line in the fixed form of Fortran.
const COLUMNS: usize = 72;

/// A call as the headers of C declare it.
pub struct Call {
    pub result: String,
    pub name: String,
    parameters: Vec<String>,
}

impl Call {
    /// What Fortran's compiler calls it.
    pub fn symbol(&self) -> String {
        format!("{}_", self.name.to_lowercase())
    }

    /// What Fortran passes: a `text`, a `function`, a handle by its type of C, or anything else. Fortran
    /// passes no argument that only C needs.
    pub fn fortran_kinds(&self) -> Vec<String> {
        if ["MPI_Init", "MPI_Init_thread"].contains(&&*self.name) {
            return self.parameters[2..].iter().map(|_| "any".into()).collect();
        }
        let kind = |kind: &String| match kind.trim_start_matches("const ").trim() {
            "char *" => "text".into(),
            handle if !handle.contains('*') => handle.into(),
            other if other.contains("function") => "function".into(),
            _ => "any".to_string(),
        };
        self.parameters.iter().map(kind).collect()
    }

    fn is_function(&self) -> bool {
        self.result != "int"
    }

    /// The function that Fortran calls.
    fn wrapper(&self) -> String {
        let (mut parameters, mut lengths) = (vec![], vec![]);
        let (mut before, mut arguments, mut after) = (String::new(), vec![], String::new());
        for (i, kind) in self.parameters.iter().enumerate() {
            let weights = self.name.contains("Dist_graph_create");
            match kind.trim_start_matches("const ").trim() {
                number if HANDLES.contains(&number) || WIDE.contains(&number) => {
                    parameters.push(format!("const {number} *a{i}"));
                    arguments.push(format!("*a{i}"));
                }
                "MPI_Status *" => {
                    parameters.push(format!("int *a{i}"));
                    write!(before, "MPI_Status s{i}, *p{i} = mgen_fortran_status(&s{i}, a{i});")
                        .expect("text can grow");
                    write!(after, "mgen_fortran_status_end(p{i}, a{i});").expect("text can grow");
                    arguments.push(format!("p{i}"));
                }
                "char *" => {
                    let end = if kind.starts_with("const") {
                        format!("free(t{i});")
                    } else {
                        format!("mgen_fortran_fill(t{i}, a{i}, l{i});")
                    };
                    parameters.push(format!("char *a{i}"));
                    lengths.push(format!("size_t l{i}"));
                    write!(before, "char *t{i} = mgen_fortran_text(a{i}, l{i});")
                        .expect("text can grow");
                    after += &end;
                    arguments.push(format!("t{i}"));
                }
                "void *" => {
                    parameters.push(format!("void *a{i}"));
                    arguments.push(format!("mgen_fortran_buffer(a{i})"));
                }
                "int *" if weights => {
                    parameters.push(format!("int *a{i}"));
                    arguments.push(format!("mgen_fortran_weights(a{i})"));
                }
                // Only calls that are refused have these.
                "char **" | "char ***" => {
                    parameters.push(format!("void *a{i}"));
                    arguments.push("NULL".into());
                }
                _ => {
                    parameters.push(format!("void *a{i}"));
                    arguments.push(format!("a{i}"));
                }
            }
        }
        let call = format!("{}({})", self.name, arguments.join(", "));
        let symbol = self.symbol();
        if self.is_function() {
            let parameters =
                if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
            return format!("{} {symbol}({parameters}) {{return {call};}}\n", self.result);
        }
        parameters.push("int *error".into());
        parameters.extend(lengths);
        let parameters = parameters.join(", ");
        format!(
            "void {symbol}({parameters}) {{{before}int code = {call};{after}\
             mgen_fortran_error(code, error);}}\n"
        )
    }
}

/// All calls of the headers, each with its text.
pub fn calls<'a>(headers: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Call> {
    headers
        .filter(|(name, _)| name.starts_with(CALLS))
        .flat_map(|(_, text)| {
            let code = without_comments(text);
            code.split(';').filter_map(call).collect::<Vec<_>>()
        })
        .collect()
}

/// Without comments and lines of the preprocessor.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, behind)) = rest.split_once("/*") {
        kept += before;
        rest = behind.split_once("*/").map_or("", |(_, rest)| rest);
    }
    kept += rest;
    let lines = kept.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join(" ")
}

/// Reads `int MPI_Name(types)`.
fn call(statement: &str) -> Option<Call> {
    let (head, rest) = statement.trim().split_once('(')?;
    let (result, name) = head.rsplit_once(' ')?;
    let known = ["int", "double", "MPI_Aint"].contains(&result);
    if !known || !name.starts_with("MPI_") {
        return None;
    }
    let list = rest.trim().strip_suffix(')')?;
    let words = list.split_whitespace().collect::<Vec<_>>().join(" ");
    let parameters = words.split(',').map(str::trim).filter(|kind| !["void", "..."].contains(kind));
    Some(Call {
        result: result.into(),
        name: name.into(),
        parameters: parameters.map(Into::into).collect(),
    })
}

/// C of all calls but those that `own`, the sources written by hand, have.
pub fn wrappers(calls: &[Call], own: &str) -> String {
    let is_own =
        |call: &&Call| own.contains(&format!(" {}(", call.symbol())) || made_by_macro(own, call);
    let mut text = String::from("#include \"fortran.h\"\n");
    for call in calls.iter().filter(|call| !is_own(call)) {
        text += &call.wrapper();
    }
    text
}

/// Whether a macro makes it: `mpi_##kind##_set_attr_`.
fn made_by_macro(own: &str, call: &Call) -> bool {
    let name = call.symbol();
    let Some((_, end)) = name.trim_start_matches("mpi_").split_once('_') else { return false };
    own.contains(&format!(" mpi_##kind##_{end}("))
}

/// A program of C that prints a line `parameter (…)` for each constant of the headers.
pub fn constants(headers: &[(&str, &str)]) -> String {
    let mut names: Vec<&str> = vec![];
    for (_, text) in headers {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '('));
        for word in words.filter(|word| word.starts_with("MPI_")) {
            let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            if word.chars().all(is_upper) && !names.contains(&word) {
                names.push(word);
            }
        }
    }
    names.sort_unstable();
    let mut text = String::from(PRINTING);
    let is_function = |name: &str| name.ends_with("_FN");
    for name in names.iter().filter(|name| !NO_CONSTANTS.contains(name) && !is_function(name)) {
        writeln!(text, "    SHOW({name});").expect("text can grow");
    }
    text + "    return 0;\n}\n"
}

/// The begin of that program. Lengths of texts do not count the zero byte in Fortran.
const PRINTING: &str = r#"
#include "mpi.h"
static void show(const char *name, const char *kind, long long value) {
    int is_length = strncmp(name, "MPI_MAX_", 8) == 0;
    printf("%s %s %lld\n", name, kind, value - is_length);
}
static void none(const char *name, const char *kind, long long value) {
    (void)name, (void)kind, (void)value;
}
#define SHOW(name) _Generic((name), int: show, unsigned: show, long: show, long long: show, \
    default: none)(#name, _Generic((name), long: "wide", long long: "wide", default: "integer"), \
    (long long)(name))
int main(void) {
    show("MPI_STATUS_SIZE", "integer", sizeof(MPI_Status) / sizeof(MPI_Fint));
"#;

/// The text of `mpif.h`, which is right in the fixed form and in the free one, from what the program of
/// [`constants`] printed and from what has no name in C.
pub fn declarations(printed: &str, own: &str) -> String {
    let mut text = String::from("! Made from the headers of C.\n");
    for line in printed.lines() {
        let [name, kind, value] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        let (kind, end) = if kind == "wide" { ("integer*8", "_8") } else { ("integer", "") };
        for line in [format!("{kind} {name}"), format!("parameter ({name}={value}{end})")] {
            let line = format!("      {line}");
            assert!(line.len() <= COLUMNS, "too long for the fixed form: {line}");
            text += &line;
            text.push('\n');
        }
    }
    text + own
}
