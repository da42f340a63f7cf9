/* Declarations of the C++ library for host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

/* Type of objects that do not affect launches: streams, clocks, random number generators. */
struct pm_any {
    template <class... T> pm_any(const T &...);
    template <class T> operator T() const;
    template <class... T> pm_any operator()(T &&...) const;
    template <class T> pm_any operator[](T) const;
    pm_any operator*() const;
    pm_any &operator++();
    pm_any count() const;
    pm_any time_since_epoch() const;
    pm_any str() const;
    pm_any size() const;
    pm_any is_open() const;
    pm_any good() const;
    pm_any eof() const;
    pm_any fail() const;
    pm_any tellg() const;
    pm_any precision(int = 0);
    pm_any width(int = 0);
    pm_any flush();
    template <class... T> void open(T...);
    template <class... T> void close(T...);
    template <class... T> void seed(T...);
    template <class... T> pm_any seekg(T...);
    template <class... T> pm_any read(T...);
    template <class... T> pm_any write(T...);
};
template <class T> pm_any &operator<<(pm_any &, const T &);
template <class T> pm_any &operator<<(pm_any &&, const T &);
template <class T> pm_any &operator>>(pm_any &, T &);
template <class A, class B> struct pm_has_any {
};
template <class B> struct pm_has_any<pm_any, B> {
    typedef pm_any type;
};
template <class A> struct pm_has_any<A, pm_any> {
    typedef pm_any type;
};
template <> struct pm_has_any<pm_any, pm_any> {
    typedef pm_any type;
};
#define PM_OPERATOR(op)                                                                            \
    template <class A, class B>                                                                    \
    typename pm_has_any<A, B>::type operator op(const A &, const B &);
PM_OPERATOR(+)
PM_OPERATOR(-)
PM_OPERATOR(*)
PM_OPERATOR(/)
PM_OPERATOR(%)
PM_OPERATOR(<)
PM_OPERATOR(>)
PM_OPERATOR(<=)
PM_OPERATOR(>=)
PM_OPERATOR(==)
PM_OPERATOR(!=)
#undef PM_OPERATOR

namespace std
{
using ::abs;
using ::atoi;
using ::atof;
using ::calloc;
using ::ceil;
using ::cos;
using ::exit;
using ::exp;
using ::fabs;
using ::floor;
using ::fmax;
using ::fmin;
using ::fprintf;
using ::free;
using ::getenv;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::isnan;
using ::log;
using ::log10;
using ::log2;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memset;
using ::pow;
using ::printf;
using ::ptrdiff_t;
using ::rand;
using ::round;
using ::sin;
using ::size_t;
using ::sqrt;
using ::srand;
using ::strcmp;
using ::strlen;
using ::tan;
using ::time;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;

typedef decltype(nullptr) nullptr_t;
template <class T> PM_BOTH const T &max(const T &a, const T &b)
{
    return a < b ? b : a;
}
template <class T> PM_BOTH const T &min(const T &a, const T &b)
{
    return b < a ? b : a;
}
template <class T> struct remove_reference {
    typedef T type;
};
template <class T> struct remove_reference<T &> {
    typedef T type;
};
template <class T> struct remove_reference<T &&> {
    typedef T type;
};
template <class T> PM_BOTH typename remove_reference<T>::type &&move(T &&x)
{
    return static_cast<typename remove_reference<T>::type &&>(x);
}
template <class T> PM_BOTH T &&forward(typename remove_reference<T>::type &x)
{
    return static_cast<T &&>(x);
}
template <class T> PM_BOTH void swap(T &a, T &b)
{
    T c = a;
    a = b;
    b = c;
}
template <class A, class B> struct is_same {
    static constexpr bool value = false;
};
template <class A> struct is_same<A, A> {
    static constexpr bool value = true;
};
template <class A, class B> constexpr bool is_same_v = is_same<A, B>::value;
template <bool C, class T = void> struct enable_if {
};
template <class T> struct enable_if<true, T> {
    typedef T type;
};
template <bool C, class A, class B> struct conditional {
    typedef A type;
};
template <class A, class B> struct conditional<false, A, B> {
    typedef B type;
};
template <bool C, class A, class B> using conditional_t = typename conditional<C, A, B>::type;
template <class T> struct numeric_limits {
    static T max();
    static T min();
    static T lowest();
    static T infinity();
    static T epsilon();
};

template <class T> struct initializer_list {
    const T *pm_data;
    size_t pm_size;
    const T *begin() const
    {
        return pm_data;
    }
    const T *end() const
    {
        return pm_data + pm_size;
    }
    size_t size() const
    {
        return pm_size;
    }
};

/* Sets elements to a value. The interpreter executes it by its name. */
template <class T> void pm_fill(T *first, size_t count, const T &value);

/* Values of larger arrays are not copied. */
static const size_t pm_most_values = 2048;

template <class T, class A = void> struct vector {
    typedef T value_type;
    T *pm_data;
    size_t pm_size;
    vector() : pm_data(nullptr), pm_size(0)
    {
    }
    explicit vector(size_t n) : pm_data((T *)calloc(n, sizeof(T))), pm_size(n)
    {
    }
    vector(size_t n, const T &value) : pm_data((T *)malloc(n * sizeof(T))), pm_size(n)
    {
        pm_fill(pm_data, n, value);
    }
    vector(initializer_list<T> list)
        : pm_data((T *)malloc(list.pm_size * sizeof(T))), pm_size(list.pm_size)
    {
        for (size_t i = 0; i < list.pm_size; i++)
            pm_data[i] = list.pm_data[i];
    }
    template <class I, class = decltype(*I())> vector(I from, I to) : pm_data(nullptr), pm_size(to - from)
    {
        pm_data = (T *)malloc(pm_size * sizeof(T));
        for (size_t i = 0; i < pm_size && pm_size <= pm_most_values; i++)
            pm_data[i] = from[i];
    }
    void resize(size_t n)
    {
        pm_data = (T *)calloc(n, sizeof(T));
        pm_size = n;
    }
    void resize(size_t n, const T &value)
    {
        pm_data = (T *)malloc(n * sizeof(T));
        pm_size = n;
        pm_fill(pm_data, n, value);
    }
    void assign(size_t n, const T &value)
    {
        resize(n, value);
    }
    void reserve(size_t n)
    {
    }
    void clear()
    {
        pm_size = 0;
    }
    void push_back(const T &value)
    {
        if (!pm_data)
            pm_data = (T *)malloc(4096 * sizeof(T));
        pm_data[pm_size] = value;
        pm_size = pm_size + 1;
    }
    template <class... V> void emplace_back(V &&...values)
    {
        pm_size = pm_size + 1;
    }
    T &operator[](size_t i)
    {
        return pm_data[i];
    }
    const T &operator[](size_t i) const
    {
        return pm_data[i];
    }
    T &at(size_t i)
    {
        return pm_data[i];
    }
    T *data()
    {
        return pm_data;
    }
    const T *data() const
    {
        return pm_data;
    }
    size_t size() const
    {
        return pm_size;
    }
    bool empty() const
    {
        return pm_size == 0;
    }
    T *begin()
    {
        return pm_data;
    }
    T *end()
    {
        return pm_data + pm_size;
    }
    const T *begin() const
    {
        return pm_data;
    }
    const T *end() const
    {
        return pm_data + pm_size;
    }
    T &front()
    {
        return pm_data[0];
    }
    T &back()
    {
        return pm_data[pm_size - 1];
    }
};
template <class T, size_t N> struct array {
    T pm_data[N];
    PM_BOTH T &operator[](size_t i)
    {
        return pm_data[i];
    }
    PM_BOTH const T &operator[](size_t i) const
    {
        return pm_data[i];
    }
    T *data()
    {
        return pm_data;
    }
    static constexpr size_t size()
    {
        return N;
    }
    T *begin()
    {
        return pm_data;
    }
    T *end()
    {
        return pm_data + N;
    }
};
/* The interpreter of host code stores the function or lambda expression in place of the object. */
template <class T> struct function;
template <class R, class... A> struct function<R(A...)> {
    function();
    template <class F> function(F called);
    R operator()(A...) const;
    explicit operator bool() const;
};
template <class A, class B> struct pair {
    A first;
    B second;
};
template <class A, class B> pair<A, B> make_pair(A a, B b)
{
    return {a, b};
}
template <class T> struct complex {
    T pm_re, pm_im;
    complex(T re = 0, T im = 0) : pm_re(re), pm_im(im)
    {
    }
    T real() const
    {
        return pm_re;
    }
    T imag() const
    {
        return pm_im;
    }
};
template <class T> struct pm_owner {
    T *pm_data;
    pm_owner(T *data = nullptr) : pm_data(data)
    {
    }
    template <class D> pm_owner(T *data, D deleter) : pm_data(data)
    {
    }
    T *get() const
    {
        return pm_data;
    }
    T &operator*() const
    {
        return *pm_data;
    }
    T *operator->() const
    {
        return pm_data;
    }
    T &operator[](size_t i) const
    {
        return pm_data[i];
    }
    void reset(T *data = nullptr)
    {
        pm_data = data;
    }
    explicit operator bool() const
    {
        return pm_data != nullptr;
    }
};
template <class T, class D = void> struct unique_ptr : pm_owner<T> {
    unique_ptr(T *data = nullptr)
    {
        this->pm_data = data;
    }
    template <class X> unique_ptr(T *data, X deleter)
    {
        this->pm_data = data;
    }
};
template <class T, class D> struct unique_ptr<T[], D> : pm_owner<T> {
    unique_ptr(T *data = nullptr)
    {
        this->pm_data = data;
    }
    template <class X> unique_ptr(T *data, X deleter)
    {
        this->pm_data = data;
    }
};
template <class T> struct shared_ptr : pm_owner<T> {
    shared_ptr(T *data = nullptr)
    {
        this->pm_data = data;
    }
    template <class X> shared_ptr(T *data, X deleter)
    {
        this->pm_data = data;
    }
};
template <class T> struct pm_made {
    typedef unique_ptr<T> one;
};
template <class T> struct pm_made<T[]> {
    typedef unique_ptr<T[]> many;
};
template <class T, class... V> typename pm_made<T>::one make_unique(V &&...values)
{
    return unique_ptr<T>(new T(values...));
}
template <class T> typename pm_made<T>::many make_unique(size_t n)
{
    return unique_ptr<T>((decltype(&(*(T *)0)[0]))calloc(n, sizeof((*(T *)0)[0])));
}
template <class T, class... V> shared_ptr<T> make_shared(V &&...values)
{
    return shared_ptr<T>(new T(values...));
}
template <class... T> struct istreambuf_iterator {
    template <class... V> istreambuf_iterator(V &&...);
};

/* Functions that the interpreter of host code (transform/source/host) executes by their names. */
const char *pm_joined(const char *, const char *);
template <class T> const char *pm_number_text(T);

struct string {
    const char *pm_data;
    string(const char *text = "") : pm_data(text)
    {
    }
    string(size_t, char);
    template <class I> string(I, I);
    const char *c_str() const
    {
        return pm_data;
    }
    const char *data() const
    {
        return pm_data;
    }
    size_t size() const;
    size_t length() const;
    bool empty() const;
    char &operator[](size_t);
    string &operator+=(const string &other)
    {
        pm_data = pm_joined(pm_data, other.pm_data);
        return *this;
    }
    string &operator+=(char);
    string substr(size_t, size_t = 0) const;
    size_t find(const string &, size_t = 0) const;
    size_t rfind(const string &, size_t = 0) const;
    static const size_t npos = -1;
};
inline string operator+(const string &a, const string &b)
{
    return string(pm_joined(a.pm_data, b.pm_data));
}
/* Comparisons of strings are false, because strings mostly come from the program's arguments, which
 * are assumed to be missing. */
inline bool operator==(const string &, const string &)
{
    return false;
}
inline bool operator!=(const string &, const string &)
{
    return true;
}
template <class T> string to_string(T number)
{
    return string(pm_number_text(number));
}
int stoi(const string &, size_t * = nullptr, int = 10);
long stol(const string &, size_t * = nullptr, int = 10);
unsigned long long stoull(const string &, size_t * = nullptr, int = 10);
unsigned long stoul(const string &, size_t * = nullptr, int = 10);
long long stoll(const string &, size_t * = nullptr, int = 10);
float stof(const string &, size_t * = nullptr);
double stod(const string &, size_t * = nullptr);

typedef pm_any ostream, istream, ofstream, ifstream, fstream, stringstream, ostringstream,
    istringstream, mt19937, mt19937_64, default_random_engine, minstd_rand, random_device, thread,
    mutex;
extern pm_any cout, cerr, cin, clog, endl, flush, fixed, scientific, left, right, hex, dec, ios,
    boolalpha;
pm_any setw(int);
pm_any setprecision(int);
pm_any setfill(char);
template <class T = double> struct uniform_real_distribution : pm_any {
    using pm_any::pm_any;
};
template <class T = int> struct uniform_int_distribution : pm_any {
    using pm_any::pm_any;
};
template <class T = double> struct normal_distribution : pm_any {
    using pm_any::pm_any;
};
struct runtime_error {
    template <class... T> runtime_error(T...);
    const char *what() const;
};
typedef runtime_error exception, logic_error, invalid_argument, out_of_range, bad_alloc;

namespace chrono
{
struct pm_clock {
    typedef pm_any time_point;
    static pm_any now();
};
typedef pm_clock high_resolution_clock, steady_clock, system_clock;
template <class T = int, class R = int> struct duration : pm_any {
    using pm_any::pm_any;
};
typedef pm_any nanoseconds, microseconds, milliseconds, seconds;
template <class T> pm_any duration_cast(pm_any);
} // namespace chrono
typedef int milli, micro, nano;

template <class I, class T> void fill(I, I, const T &);
template <class I, class N, class T> void fill_n(I, N, const T &);
template <class I, class F> void generate(I, I, F);
template <class I, class T> void iota(I, I, T);
template <class I> void sort(I, I);
template <class I, class F> void sort(I, I, F);
template <class I, class O> void copy(I, I, O);
template <class I, class T> T accumulate(I, I, T);
template <class I, class G> void shuffle(I, I, G &&);
template <class I> I max_element(I, I);
template <class I> I min_element(I, I);
template <class I, class J> bool equal(I, I, J);
template <class I, class O, class F> void transform(I, I, O, F);
} // namespace std
